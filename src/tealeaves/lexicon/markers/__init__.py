"""Markers: strings that tell where a seed is expressed, and the models made of them."""
