#!/usr/bin/env bash
# Runs stories on AWS's DynamoDB Local, which it downloads with Maven. Says when it did not run.
#   test/aws/dynamodb-local.sh                       the stories of .ci/run
#   test/aws/dynamodb-local.sh 'test/(bank|cancel)'  those of other files
#   test/aws/dynamodb-local.sh -- npm run bench …    a command, with its address in DYNAMODB_ENDPOINT
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
command=(npx jest --selectProjects scenarios --testPathPatterns "${1:-test/(reminder|webhooks|retry)\.}")
# Clouds that share it are kept apart by their keys; a command's clients see one another's tables.
options=(-inMemory -disableTelemetry)
if [ "${1:-}" = -- ]; then
  command=("${@:2}")
  options+=(-sharedDb)
fi
scratch=$(mktemp -d)
server=
# A stopped server's exit status is not that of the stories.
trap 'if [ -n "$server" ]; then kill "$server" && wait "$server" || true; fi 2>/dev/null; rm -rf "$scratch"' EXIT

# Outside of the clone, so that it is downloaded once.
jars=${DYNAMODB_LOCAL_JARS:-${XDG_CACHE_HOME:-$HOME/.cache}/vigil/dynamodb-local-2.6.1}
complete() { (cd "$jars" && sha256sum --quiet --check "$here/dynamodb-local.sha256") >/dev/null 2>&1; }
not_run() {
  echo "── NOT RUN: the stories on DynamoDB Local: $1"
  exit 0
}
command -v javac >/dev/null || not_run 'there is no JDK'
if ! complete; then
  command -v mvn >/dev/null || not_run 'there is no Maven'
  mkdir -p "$jars"
  timeout 400 mvn -q -B -f "$here/dynamodb-local.pom.xml" dependency:copy-dependencies "-DoutputDirectory=$jars" ||
    not_run 'Maven cannot download it here'
  complete || { echo 'The downloaded files differ from test/aws/dynamodb-local.sha256.' && exit 1; }
fi

java "-Djava.library.path=$jars" -cp "$jars/*" "$here/DynamodbLocal.java" "${options[@]}" >"$scratch/log" 2>&1 &
server=$!
until address=$(grep -o 'http://127.0.0.1:[0-9]*' "$scratch/log"); do
  kill -0 "$server" 2>/dev/null || { cat "$scratch/log" && exit 1; }
  sleep 0.2
done
DYNAMODB_ENDPOINT=$address "${command[@]}"
