#!/usr/bin/env bash
# Deploys the shipped template in MiniStack, a cloud that others wrote, and plays stories through its API. MiniStack comes from PyPI (some
# 60 MB). Says when it did not run.
#   test/second-cloud/run.sh                    all stories
#   test/second-cloud/run.sh -t 'a reminder'    one of them
#   test/second-cloud/run.sh --from COMMIT      an upgrade from an earlier commit to this one, and the way back
#   SECOND_CLOUD_VENV=folder                    uses a virtual environment that has MiniStack
set -euo pipefail
cd "$(dirname "$0")/../.."
source test/python-packages.sh
scratch=$(mktemp -d)
cloud=
earlier=
stories=test/second-cloud/stories.ts
if [ "${1:-}" = --from ]; then
  earlier=$scratch/earlier
  stories=test/second-cloud/upgrade.ts
  git clone -q . "$earlier" && git -C "$earlier" checkout -q "$2"
  (cd "$earlier" && npm ci --no-audit --no-fund --silent)
  shift 2
fi
# MiniStack waits for its functions when it is asked to end. Its exit status is not that of the stories.
trap '{ [ -z "$cloud" ] || { kill -KILL -- "-$cloud" && wait "$cloud"; } || true; } 2>/dev/null; rm -rf "$scratch"' EXIT

venv=${SECOND_CLOUD_VENV:-$scratch/venv}
if ! { [ -x "$venv/bin/ministack" ] || python_packages "$venv" --require-hashes -r test/second-cloud/requirements.txt; }; then
  echo '── NOT RUN: the stories in MiniStack, which pip cannot install here'
  exit 0
fi

# Lambda runs Node 24. MiniStack takes the `node` of its PATH.
node=$(npx --yes --package node@24.21.0 -- node -p process.execPath 2>/dev/null) || node=$(node -p process.execPath)
echo "── MiniStack runs the functions on Node $("$node" --version)"
port=$(node -e 'const server = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(server.address().port); server.close(); })')
# BIND_HOST and IOT_MTLS_ENABLED: no port is open on another interface. MINISTACK_HOST: an address with numbers is no valid one for it.
mkdir "$scratch/temporary"
# A process group of its own, which ends as a whole.
set -m
env PATH="$(dirname "$node"):$PATH" TMPDIR="$scratch/temporary" S3_DATA_DIR="$scratch/s3" STATE_DIR="$scratch/state" \
  BIND_HOST=127.0.0.1 GATEWAY_PORT="$port" MINISTACK_HOST=localhost IOT_MTLS_ENABLED=0 \
  MINISTACK_ACCOUNT_ID=123456789012 MINISTACK_REGION=us-east-1 PYTHONPYCACHEPREFIX="$scratch/python" \
  "$venv/bin/ministack" >"$scratch/ministack.log" 2>&1 &
cloud=$!
set +m
until grep -qs 'Running on' "$scratch/ministack.log"; do
  kill -0 "$cloud" 2>/dev/null || { cat "$scratch/ministack.log" && exit 1; }
  sleep 0.2
done
on_loopback_only() {
  ! { command -v ss >/dev/null && ss -Hltnp | grep "pid=$cloud," | grep -v ' 127\.0\.0\.1:'; } && return
  echo 'MiniStack listens on another interface than loopback.'
  return 1
}
on_loopback_only
export SECOND_CLOUD_URL=http://127.0.0.1:$port SECOND_CLOUD_FOLDER=$scratch SECOND_CLOUD_FROM=$earlier
# A person's key and settings have no part in it.
unset OPENAI_API_KEY SERPER_API_KEY BROWSERLESS_TOKEN
npx jest --config test/second-cloud/jest.config.js --testMatch "$PWD/$stories" "$@" || {
  # Node 24 warns of a line of MiniStack's.
  grep -E 'ERROR|Traceback' "$scratch/ministack.log" | grep -v DEP0169 | tail -40
  exit 1
}
on_loopback_only
