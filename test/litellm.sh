#!/usr/bin/env bash
# Asks models through a LiteLLM proxy, which it installs from PyPI (some 750 MB), with aimock behind it. Says when it did not run.
set -euo pipefail
cd "$(dirname "$0")/.."
source test/python-packages.sh
folder=${LITELLM_VENV:-$(mktemp -d)}
[ -n "${LITELLM_VENV:-}" ] || trap 'rm -rf "$folder"' EXIT
if ! { [ -x "$folder/bin/litellm" ] || python_packages "$folder" 'litellm[proxy]==1.106.2'; }; then
  echo '── NOT RUN: the models through LiteLLM, which pip cannot install here'
  exit 0
fi
LITELLM="$folder/bin/litellm" npx jest --selectProjects unit --testPathPatterns lambdas/models/aimock
