"""A JupyterHub behind the platform's gateway: everything below /notebooks/ reaches it from there.

Copy it, and change what is marked CHANGE. It is what the platform's own test runs, on one machine:

    PLATFORM_HUB_TOKEN=$(openssl rand -hex 32) jupyterhub --config jupyterhub_config.py
"""

import os
import sys

c = get_config()  # noqa: F821 (JupyterHub provides it)

# -- Where it listens ---------------------------------------------------------

# Paths pass the gateway unchanged, so the hub's begin with /notebooks as well. The gateway and identity are given this
# address, without the slash at its end, as JUPYTERHUB_URL.
# CHANGE: an address that only the gateway and identity reach. People come through the gateway alone.
c.JupyterHub.bind_url = os.environ.get("HUB_BIND_URL", "http://127.0.0.1:8000/notebooks/")

# Between the hub, its proxy and the notebook servers only.
c.JupyterHub.hub_bind_url = os.environ.get("HUB_INTERNAL_URL", "http://127.0.0.1:8081")
c.ConfigurableHTTPProxy.api_url = os.environ.get("HUB_PROXY_API_URL", "http://127.0.0.1:8001")
if "HUB_PROXY_COMMAND" in os.environ:
    c.ConfigurableHTTPProxy.command = os.environ["HUB_PROXY_COMMAND"].split("\n")

# -- Who may come -------------------------------------------------------------

# The hub has no login: the platform authenticates every request before it arrives, and asks the hub for the token that
# the request carries. Users are created at their first request, named `member-<id>` or `key-<id>`.
c.JupyterHub.authenticator_class = "null"

# Identity's own token (JUPYTERHUB_API_TOKEN there). It makes users, makes tokens that open a user's own servers for five
# minutes, and looks where servers stand; it can neither use nor stop a server.
c.JupyterHub.services = [{"name": "platform", "api_token": os.environ["PLATFORM_HUB_TOKEN"]}]
c.JupyterHub.load_roles = [
    {
        "name": "platform",
        "scopes": ["admin:users", "tokens", "read:users", "read:servers"],
        "services": ["platform"],
    }
]

# -- Notebook servers ---------------------------------------------------------

# CHANGE: processes of one machine know no borders between users. In production each user needs a container
# (DockerSpawner, KubeSpawner).
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = os.path.join(os.environ.get("HUB_HOMES", os.getcwd()), "{username}")
c.Spawner.cmd = [sys.executable, "-m", "jupyterhub.singleuser"]
if hasattr(os, "geteuid") and os.geteuid() == 0:
    c.Spawner.args = ["--allow-root"]

# The hub answers a start at once or after this many seconds, whichever is first. The gateway waits ten for an answer.
c.JupyterHub.tornado_settings = {"slow_spawn_timeout": 5}

# A server that does not come up, or does not answer then, is given up before the platform calls it failed, after ten minutes.
c.Spawner.start_timeout = 300
c.Spawner.http_timeout = 120

# Where kernels find the platform, and a credential with which they act there as the server's user: the server's own token, which
# ends with it. Identity takes it where NOTEBOOK_CREDENTIALS is true.
# CHANGE: the address of the gateway as notebook servers reach it.
if "PLATFORM_URL" in os.environ:
    c.Spawner.environment = {
        "PLATFORM_URL": os.environ["PLATFORM_URL"],
        "PLATFORM_API_KEY": lambda spawner: "ain_" + spawner.api_token,
    }
