# Generated from `client/_async` by `python scripts/generate.py`. Do not edit.
"""The client without asyncio."""
