"""Runs cfn-lint over the templates of templates.ts, each in all regions where it may exist: `lint.py FOLDER`.

One process for all, because it reads CloudFormation's schemas first. Its exceptions are in .cfnlintrc.yaml.
"""

import contextlib
import io
import json
import sys
import time
from pathlib import Path

from cfnlint.runner.cli import main as cfn_lint

# Has a defect of each kind, by the rule that must find it.
RULES = {
    'E3006': 'a type that a region lacks',
    'E3030': 'a value that is not listed',
    'E3510': "the grammar of a role's policy: its version, and an operator of a condition",
    'E3512': "the grammar of a resource's policy",
    'E3530': 'the grammar of a policy for who may assume a role',
    'E3601': 'a state that leads nowhere',
    'I3510': 'a resource that an action is not for',
    'W3037': 'an action that does not exist',
}


def policy(**statement):
    return {'Version': '2012-10-17', 'Statement': [{'Effect': 'Allow', **statement}]}


ROLE = {'Fn::GetAtt': ['Role', 'Arn']}
DEFECTS = {
    'Role': ('AWS::IAM::Role', {'AssumeRolePolicyDocument': policy(Principle='*', Action='sts:AssumeRole')}),
    'Policy': (
        'AWS::IAM::Policy',
        {
            'PolicyName': 'p',
            'Roles': [{'Ref': 'Role'}],
            'PolicyDocument': {
                'Version': '2012-10-18',
                'Statement': [
                    {'Effect': 'Allow', 'Action': 'dynamodb:GetItems', 'Resource': '*', 'Condition': {'StringEqual': {'a': 'b'}}},
                    {'Effect': 'Allow', 'Action': 'dynamodb:GetItem', 'Resource': 'arn:aws:s3:::bucket'},
                ],
            },
        },
    ),
    'QueuePolicy': (
        'AWS::SQS::QueuePolicy',
        {'Queues': ['q'], 'PolicyDocument': policy(Effect='Permit', Principal='*', Action='sqs:SendMessage', Resource='*')},
    ),
    'Machine': (
        'AWS::StepFunctions::StateMachine',
        {'RoleArn': ROLE, 'DefinitionString': '{"StartAt":"A","States":{"A":{"Type":"Pass"}}}'},
    ),
    'Function': (
        'AWS::Lambda::Function',
        {'Role': ROLE, 'Code': {'S3Bucket': 'bucket', 'S3Key': 'k'}, 'Handler': 'i.h', 'Runtime': 'nodejs23.x'},
    ),
    'Page': ('AWS::CloudFront::OriginAccessControl', {}),
}


def lint(template, regions):
    sys.argv = ['cfn-lint', '--config-file', '.cfnlintrc.yaml', '--regions', *regions, '--format', 'parseable', '--', str(template)]
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            cfn_lint()
    except SystemExit:
        # Its code says the same as its lines.
        pass
    return output.getvalue().splitlines()


def main(folder):
    defects = folder / 'defects.template'
    resources = {name: {'Type': kind, 'Properties': properties} for name, (kind, properties) in DEFECTS.items()}
    defects.write_text(json.dumps({'Resources': resources}))
    found = lint(defects, ['us-east-1', 'us-gov-west-1'])
    missed = [f'not found: {what} ({rule})' for rule, what in RULES.items() if not any(f':{rule}:' in line for line in found)]
    if missed:
        sys.exit('\n'.join([*missed, *found]))
    findings, began = [], time.monotonic()
    regions_of = json.loads((folder / 'regions.json').read_text())
    for name, regions in regions_of.items():
        # cfn-lint does not put the partition into the definitions of state machines, and knows one of them only.
        template = folder / f'{name}.template'
        template.write_text((folder / f'{name}.json').read_text().replace('arn:${Partition}:states', 'arn:aws:states'))
        findings += lint(template, regions)
    for finding in findings:
        print(finding)
    regions = {region for some in regions_of.values() for region in some}
    print(f'cfn-lint: {len(regions_of)} templates in {len(regions)} regions, {time.monotonic() - began:.0f} s; {len(findings)} findings')
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main(Path(sys.argv[1])))
