"""Ground: loops that become machine code, and the place where it is kept between runs."""
