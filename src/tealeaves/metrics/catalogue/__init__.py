"""The metrics that come with tealeaves; every module here is searched for them."""
