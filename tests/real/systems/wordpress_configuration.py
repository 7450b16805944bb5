"""What php-fpm and nginx are told: one pool and one port a site."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

WORKERS = 8  # as many as the contract sends at once


def site_environment(folder: Path, tree: Path, socket: Path, name: str, port: int) -> dict[str, str]:
    """What wp-config.php reads."""
    return {
        "SITE_DATABASE": name,
        "SITE_SOCKET": str(socket),
        "SITE_URL": f"http://127.0.0.1:{port}",
        "SITE_CONTENT": str(folder / name),
        "SITE_TREE": str(tree),
    }


def fpm_configuration(folder: Path, tree: Path, socket: Path, ports: Mapping[str, int]) -> str:
    """Workers that are there when the first request comes, so that eight at once are eight at once."""
    head = f"[global]\nerror_log = {folder}/fpm.err\n"
    return head + "".join(
        f"""[{name}]
listen = {folder}/{name}.sock
listen.mode = 0666
pm = static
pm.max_children = {WORKERS}
catch_workers_output = yes
php_admin_value[sys_temp_dir] = {folder}
php_admin_value[upload_tmp_dir] = {folder}
php_admin_value[memory_limit] = 256M
php_admin_value[upload_max_filesize] = 32M
php_admin_value[post_max_size] = 40M
"""
        + "".join(
            f'env[{key}] = "{value}"\n'
            for key, value in site_environment(folder, tree, socket, name, port).items()
        )
        for name, port in ports.items()
    )


def nginx_configuration(folder: Path, tree: Path, ports: Mapping[str, int]) -> str:
    """Pretty permalinks, as most sites have them."""
    user = "user root;" if os.geteuid() == 0 else ""
    temporary = " ".join(
        f"{name}_temp_path {folder}/nginx-{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    sites = "\n".join(
        f"""  server {{
    listen 127.0.0.1:{port} backlog=256; root {tree}; index index.php;
    location /wp-content/ {{ alias {folder}/{name}/; }}
    location / {{ try_files $uri $uri/ /index.php?$args; }}
    location ~ \\.php$ {{
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
      fastcgi_pass unix:{folder}/{name}.sock;
    }}
  }}"""
        for name, port in ports.items()
    )
    return f"""{user} worker_processes 1; daemon off; pid {folder}/nginx.pid;
events {{ worker_connections 256; }}
http {{
  include /etc/nginx/mime.types; access_log {folder}/access.log; client_max_body_size 40m; {temporary}
{sites}
}}
"""
