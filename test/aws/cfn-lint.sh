#!/usr/bin/env bash
# Checks the templates of several deployments with cfn-lint, which it installs from PyPI. Says when it did not run.
set -euo pipefail
cd "$(dirname "$0")/../.."
source test/python-packages.sh
version=1.58.0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
venv=${CFN_LINT_VENV:-$scratch/venv}
if ! { [ -x "$venv/bin/cfn-lint" ] || python_packages "$venv" "cfn-lint==$version"; }; then
  echo '── NOT RUN: cfn-lint, which pip cannot install here'
  exit 0
fi
AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED=true npx tsx test/aws/templates.ts "$scratch/templates"
failed=0
for template in "$scratch"/templates/*.json; do
  name=$(basename "$template" .json)
  # Its exceptions are in .cfnlintrc.yaml.
  "$venv/bin/cfn-lint" --config-file .cfnlintrc.yaml --regions "${name##*.}" --format parseable -- "$template" || failed=1
done
[ "$failed" = 0 ] && echo "$(ls "$scratch/templates" | wc -l) templates: no findings"
exit "$failed"
