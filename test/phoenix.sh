#!/usr/bin/env bash
# Sends traces to Arize Phoenix, which it installs from PyPI (some 850 MB), and reads them back by its API. Says when it did not run.
set -euo pipefail
cd "$(dirname "$0")/.."
source test/python-packages.sh
folder=${PHOENIX_VENV:-$(mktemp -d)}
[ -n "${PHOENIX_VENV:-}" ] || trap 'rm -rf "$folder"' EXIT
if ! { [ -x "$folder/bin/phoenix" ] || python_packages "$folder" 'arize-phoenix==20.26.1'; }; then
  echo '── NOT RUN: traces in Arize Phoenix, which pip cannot install here'
  exit 0
fi
PHOENIX="$folder/bin/python" npx jest -c jest.all.config.js --testPathPatterns test/telemetry.scenario -t Phoenix
