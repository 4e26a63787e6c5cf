#!/usr/bin/env bash
# Checks the templates of ten deployments (templates.ts), in the regions where each may exist, by what others know of AWS: cfn-lint
# (lint.py), botocore's models of the services, with sizes and quotas (models.py), and asl-validator for the state machines. Each of them
# must find defects first. Installs them from PyPI and npm, and says what did not run.
set -euo pipefail
cd "$(dirname "$0")/../.."
source test/python-packages.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
venv=${CFN_LINT_VENV:-$scratch/venv}
if ! { [ -x "$venv/bin/cfn-lint" ] || python_packages "$venv" 'cfn-lint==1.58.0' 'botocore==1.44.8'; }; then
  echo '── NOT RUN: cfn-lint, which pip cannot install here'
  exit 0
fi
templates=$scratch/templates
AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED=true npx tsx test/aws/templates.ts "$templates"
failed=0
"$venv/bin/python" test/aws/models.py "$templates" || failed=1

asl=${ASL_VALIDATOR_FOLDER:-$scratch/asl}/node_modules/.bin/asl-validator
[ -x "$asl" ] || timeout 300 npm install --prefix "${asl%/node_modules/*}" --no-save --no-audit --no-fund --silent asl-validator@4.0.0 || true
if [ -x "$asl" ]; then
  if "$asl" --silent --json-definition '{"StartAt":"A","States":{"A":{"Type":"Pass"}}}'; then
    echo 'asl-validator does not find a state that leads nowhere' && failed=1
  fi
  machines=()
  for machine in "$templates"/machines/*.json; do machines+=(--json-path "$machine"); done
  # It prints a line for each that is valid, too.
  "$asl" "${machines[@]}" >"$scratch/asl.log" 2>&1 || { failed=1 && grep -v 'is valid$' "$scratch/asl.log"; }
  echo "asl-validator: $((${#machines[@]} / 2)) state machines"
else
  echo '── NOT RUN: asl-validator, which npm cannot install here'
fi

"$venv/bin/python" test/aws/lint.py "$templates" || failed=1
exit $failed
