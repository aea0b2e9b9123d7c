"""Following a model through the texts: its words and topics token by token, and its documents
against their labels.
"""
