#!/usr/bin/env bash
# Generates a Python client from docs/openapi.json, with packages from PyPI, and plays a story with it on a local cloud. Says when it did not run.
set -euo pipefail
cd "$(dirname "$0")/.."
source test/python-packages.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
venv=${PYTHON_CLIENT_VENV:-$scratch/venv}
if ! { [ -x "$venv/bin/openapi-python-client" ] || python_packages "$venv" 'openapi-python-client==0.29.1' 'openapi-spec-validator==0.9.0'; }; then
  echo '── NOT RUN: the generated Python client, which pip cannot install here'
  exit 0
fi
"$venv/bin/openapi-spec-validator" docs/openapi.json
# It formats the code with the ruff beside it. What it cannot generate is a warning.
PATH="$venv/bin:$PATH" openapi-python-client generate --path docs/openapi.json --output-path "$scratch/client" --fail-on-warning
PYTHON="$venv/bin/python" PYTHON_CLIENT="$scratch/client" npx jest --config jest.all.config.js --testPathPatterns 'test/python-client\.'
