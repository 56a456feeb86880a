#!/usr/bin/env python3
"""Runs a command beside a server on this computer that shares a cache.

    bench/servers.py redis|nginx COMMAND…

The command finds its address in $LUNA_CACHE_REMOTE. The helpers that it starts
have a folder of their own, and end with it.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

NGINX = """
daemon off; pid {folder}/pid; error_log stderr; {user}
events {{ worker_connections 64; }}
http {{
  access_log off; client_max_body_size 256m;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    location / {{
      root {folder}/files; dav_methods PUT; create_full_put_path on;
    }}
  }}
}}
"""


def find(program):
    """The path of a server, or None; not all paths have the folder."""
    return shutil.which(program, path=os.environ.get("PATH", "")
                        + os.pathsep + "/usr/sbin")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def command_of(kind, folder, port):
    """The command of the server, and its address."""
    if kind == "redis":
        return ([find("redis-server"), "--bind", "127.0.0.1", "--port",
                 str(port), "--save", "", "--dir", folder],
                f"redis://127.0.0.1:{port}")
    configuration = os.path.join(folder, "nginx.conf")
    user = "user root;" if os.geteuid() == 0 else ""
    with open(configuration, "w", encoding="utf-8") as out:
        out.write(NGINX.format(folder=folder, port=port, user=user))
    return ([find("nginx"), "-p", folder, "-e", "stderr", "-c", configuration],
            f"http://127.0.0.1:{port}/luna")


def await_port(port, server):
    for _ in range(500):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if server.poll() is not None:
            break
        time.sleep(0.01)
    sys.exit("the server does not start")


@contextlib.contextmanager
def running(kind):
    """A server; gives the environment of those that use it."""
    folder = tempfile.mkdtemp(prefix="luna-server-")
    port = free_port()
    command, address = command_of(kind, folder, port)
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)
    try:
        await_port(port, server)
        yield {**os.environ, "LUNA_CACHE_REMOTE": address,
               "XDG_RUNTIME_DIR": folder}
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in ("redis", "nginx"):
        sys.exit(__doc__.strip())
    with running(sys.argv[1]) as environment:
        return subprocess.run(sys.argv[2:], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
