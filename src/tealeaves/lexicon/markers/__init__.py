"""Markers: strings that show where a seed is expressed, and the models that choose them."""
