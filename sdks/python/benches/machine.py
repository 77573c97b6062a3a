"""How fast the machine is now: figures of another machine, or of a busy one, are other figures."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

repository = Path(__file__).parent.parent.parent.parent
source = "import(process.argv[1]).then(({ calibratedSpinMs }) => console.log(calibratedSpinMs()))"


def fixed_computation_ms() -> str:
    """What the fixed computation of `npm run bench` takes, as a sentence."""
    own = repository / "node_modules" / ".bin" / "node"
    node = str(own) if own.exists() else shutil.which("node")
    quietness = repository / "bench" / "harness" / "quietness.ts"
    if node is None:
        return "not measured, there is no Node"
    ran = subprocess.run([node, "-e", source, str(quietness)], capture_output=True, text=True, check=False)
    if ran.returncode != 0:
        return "not measured, Node cannot run the fixed computation"
    return f"the fixed computation of `npm run bench` takes {float(ran.stdout):.1f} ms"
