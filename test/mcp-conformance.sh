#!/usr/bin/env bash
# Runs the conformance suite of MCP on Vigil, as a client and as a server. What cannot pass has its reason in
# test/mcp-conformance/expected-failures.yml. Installs the suite, and a Node that it runs on, from npm (some 240 MB). Exits with 3 if it cannot.
#   test/mcp-conformance.sh                                                   all scenarios
#   test/mcp-conformance.sh client --scenario tools_call                      one, with all that the suite says
#   test/mcp-conformance.sh server --scenario caching --spec-version 2026-07-28
set -euo pipefail
cd "$(dirname "$0")/.."
here=test/mcp-conformance
scratch=$(mktemp -d)
server=
# A stopped server's exit status is not that of the suite.
trap 'if [ -n "$server" ]; then kill "$server" && wait "$server" || true; fi 2>/dev/null; rm -rf "$scratch"' EXIT

version=22.23.3
modules=${MCP_CONFORMANCE_FOLDER:-$scratch}/node_modules
program=$modules/@modelcontextprotocol/conformance/dist/index.js
if ! [ -f "$program" ]; then
  timeout 600 npm install --prefix "${modules%/*}" --no-save --no-audit --no-fund --silent \
    '@modelcontextprotocol/conformance@0.2.0-alpha.12' "node@$version" || true
fi
if [ "$("$modules/.bin/node" --version 2>/dev/null)" != "v$version" ] || ! [ -f "$program" ]; then
  echo "── NOT RUN: the conformance suite of MCP: npm cannot install it here, or Node $version"
  exit 3
fi

# One file starts in a third of the time, and the suite starts it for each scenario.
npx esbuild $here/client.ts --bundle --platform=node --target=node20 --main-fields=module,main --log-level=error \
  --outfile="$scratch/client.js"
client="node $scratch/client.js"
# The suite starts all clients at once.
if command -v flock >/dev/null; then client="flock $scratch/lock $client"; fi

node --import tsx $here/server.ts >"$scratch/server.log" 2>"$scratch/server.errors" &
server=$!
until url=$(grep -o 'http://127.0.0.1:[0-9]*/mcp' "$scratch/server.log"); do
  kill -0 "$server" 2>/dev/null || { cat "$scratch/server.errors" && exit 1; }
  sleep 0.2
done

suite() {
  local whom=(--url "$url" --timeout 120000)
  [ "$1" = server ] || whom=(--command "$client" --timeout 300000)
  "$modules/.bin/node" --import "./$here/loopback.mjs" "$program" "$@" "${whom[@]}" --expected-failures $here/expected-failures.yml
}
if [ $# -gt 0 ]; then
  suite "$@"
  exit
fi

status=0
check() {
  local results=$scratch/results log=$scratch/log
  rm -rf "$results"
  if suite "$@" -o "$results" >"$log" 2>&1; then
    echo "── $*: $(sed -n 's/^Total: \([0-9]* passed\).*/\1/p' "$log"), $(grep -c '^  ~ ' "$log") expected failures"
    return
  fi
  status=1
  echo "── $*: FAILED"
  sed -n '/^=== .*SUMMARY ===$/,$p' "$log" | grep -v '^  ~ ' | grep . || cat "$log"
  node -e '
    const { readdirSync, readFileSync } = require("node:fs");
    const [, results, list] = process.argv;
    const expected = readFileSync(list, "utf8");
    for (const file of readdirSync(results, { recursive: true }).filter((one) => one.endsWith("checks.json")))
      for (const { id, status, errorMessage, description } of JSON.parse(readFileSync(`${results}/${file}`)))
        if (/FAILURE|WARNING/.test(status) && !expected.includes(`:${id}\n`)) console.log(`${file}: ${id}: ${errorMessage ?? description}`);
  ' "$results" $here/expected-failures.yml
}
for side in client server; do
  check $side --suite all --spec-version 2025-11-25
  check $side --suite all --spec-version 2026-07-28
done
check client --suite extensions
# Those of tasks are among them.
check server --suite pending
cat "$scratch/server.errors"
exit $status
