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
# One process for all, because it reads CloudFormation's schemas first. Its exceptions are in .cfnlintrc.yaml.
"$venv/bin/python" - "$scratch"/templates/*.json <<'PYTHON'
import sys
from cfnlint.runner.cli import main

templates, failed = sys.argv[1:], 0
for template in templates:
    region = template.split('.')[-2]
    sys.argv = ['cfn-lint', '--config-file', '.cfnlintrc.yaml', '--regions', region, '--format', 'parseable', '--', template]
    try:
        main()
    except SystemExit as end:
        failed = failed or end.code
if not failed:
    print(f'{len(templates)} templates: no findings')
sys.exit(failed)
PYTHON
