#!/usr/bin/env bash
# Plays with the Step Functions engine by boto3 and the AWS CLI, which it installs from PyPI (some 260 MB), with moto's server in the place
# of the other services. Says when it did not run.
#   test/aws/real-clients.sh                all tests
#   test/aws/real-clients.sh test_objects   those of one file in test/aws/clients
set -euo pipefail
cd "$(dirname "$0")/../.."
source test/python-packages.sh
scratch=$(mktemp -d)
servers=()
# The servers' exit status is not that of the tests.
trap 'for server in "${servers[@]}"; do kill "$server" && wait "$server" || true; done 2>/dev/null; rm -rf "$scratch"' EXIT

venv=${REAL_CLIENTS_VENV:-$scratch/venv}
# moto[server] would bring what its other services need, twice as much.
packages=('boto3==1.44.5' 'awscli==1.46.3' 'moto[dynamodb,events]==5.2.5' 'flask==3.1.3' 'flask-cors==6.0.5')
if ! { [ -x "$venv/bin/moto_server" ] || python_packages "$venv" "${packages[@]}"; }; then
  echo '── NOT RUN: boto3 and the AWS CLI, which pip cannot install here'
  exit 0
fi

# Starts a server and sets the address: the first that it prints.
serve() {
  local log=$scratch/$1.log
  "${@:2}" >"$log" 2>&1 &
  servers+=($!)
  until address=$(grep -os 'http://127.0.0.1:[0-9]*' "$log" | head -n 1); do
    kill -0 "${servers[-1]}" 2>/dev/null || { cat "$log" && exit 1; }
    sleep 0.2
  done
}

export AWS_ACCESS_KEY_ID=none AWS_SECRET_ACCESS_KEY=none AWS_DEFAULT_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true
export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null PYTHONPYCACHEPREFIX=$scratch/python
# An error that a second attempt would hide is to be seen. 127.0.0.1 has no `sync-127.0.0.1` beside it.
export AWS_MAX_ATTEMPTS=1 AWS_DISABLE_HOST_PREFIX_INJECTION=true
# S3's pages have a thousand objects; these are filled sooner.
serve moto env MOTO_S3_DEFAULT_MAX_KEYS=10 "$venv/bin/moto_server" -H 127.0.0.1 -p 0
export AWS_ENDPOINT_URL=$address
serve engine env PORT=0 LAMBDA_ENDPOINT="$address" node --import tsx packages/stepfunctions/src/main.ts
export AWS_ENDPOINT_URL_SFN=$address
cd test/aws/clients
PATH="$venv/bin:$PATH" "$venv/bin/python" -W error::ResourceWarning -m unittest "${@:-discover}"
