"""The client on asyncio. `client/_sync` is generated from this package: `python scripts/generate.py`."""
