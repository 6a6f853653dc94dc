"""Runs samples one after the other, each a script, and prints a line of JSON for each: its name, what it printed, its error.

The only argument is a JSON array of {name, file, env}; file is a path.
"""

import contextlib
import io
import json
import os
import runpy
import sys

for task in json.loads(sys.argv[1]):
    os.environ.update(task["env"])
    said, error = io.StringIO(), ""
    with contextlib.redirect_stdout(said):
        try:
            runpy.run_path(task["file"], run_name="__main__")
        except BaseException as e:
            error = repr(e)
    print(json.dumps({"name": task["name"], "said": said.getvalue(), "error": error}), flush=True)
