"""Checks templates against what AWS's services say of themselves: `models.py FOLDER` reads the templates of templates.ts.

Each resource is checked by the shape of the operation that creates it, from botocore: members, types, enums, lengths, ranges, patterns.
Then sizes of policies, quotas, and text that is not ASCII. The state machines' definitions are written into FOLDER/machines, for a
validator of the Amazon States Language. First, a defect of each kind must be found.
"""

import json
import sys
from collections import Counter
from pathlib import Path

import botocore.session
import regex

ACCOUNT = '123456789012'
UNKNOWN = object()
IDS = '0123456789abcdef0'

# The shape of the request that creates a resource; others where another request takes a property, `[]` for each of a list; what a
# member is called there; required members that CloudFormation fills in; and what no request has, with a reason. A type without an entry is
# a finding.
TYPES = {
    'AWS::ApiGatewayV2::Api': {'shape': 'apigatewayv2 CreateApiRequest'},
    'AWS::ApiGatewayV2::ApiMapping': {'shape': 'apigatewayv2 CreateApiMappingRequest'},
    'AWS::ApiGatewayV2::Authorizer': {'shape': 'apigatewayv2 CreateAuthorizerRequest'},
    'AWS::ApiGatewayV2::DomainName': {'shape': 'apigatewayv2 CreateDomainNameRequest'},
    'AWS::ApiGatewayV2::Integration': {'shape': 'apigatewayv2 CreateIntegrationRequest'},
    'AWS::ApiGatewayV2::Route': {'shape': 'apigatewayv2 CreateRouteRequest'},
    'AWS::ApiGatewayV2::RouteResponse': {'shape': 'apigatewayv2 CreateRouteResponseRequest'},
    'AWS::ApiGatewayV2::Stage': {'shape': 'apigatewayv2 CreateStageRequest'},
    'AWS::CloudFront::Distribution': {
        'shape': 'cloudfront CreateDistributionRequest',
        'called': {'IPV6Enabled': 'IsIPV6Enabled', 'OriginSSLProtocols': 'OriginSslProtocols'},
        # The ports have defaults in CloudFormation.
        'filled': ['CallerReference', 'HTTPPort', 'HTTPSPort'],
    },
    'AWS::CloudFront::Function': {
        'shape': 'cloudfront CreateFunctionRequest',
        'skipped': {'AutoPublish': 'whether CloudFormation publishes it'},
    },
    'AWS::CloudFront::OriginAccessControl': {'shape': 'cloudfront CreateOriginAccessControlRequest'},
    'AWS::CloudFront::ResponseHeadersPolicy': {'shape': 'cloudfront CreateResponseHeadersPolicyRequest'},
    'AWS::CloudWatch::Alarm': {'shape': 'cloudwatch PutMetricAlarmInput', 'filled': ['AlarmName']},
    'AWS::CloudWatch::Dashboard': {'shape': 'cloudwatch PutDashboardInput', 'filled': ['DashboardName']},
    'AWS::Cognito::UserPool': {
        'shape': 'cognito-idp CreateUserPoolRequest',
        'skipped': {'EnabledMfas': 'the kinds of SetUserPoolMfaConfig, by names of CloudFormation'},
        'filled': ['PoolName'],
    },
    'AWS::Cognito::UserPoolClient': {'shape': 'cognito-idp CreateUserPoolClientRequest', 'filled': ['ClientName']},
    'AWS::Cognito::UserPoolDomain': {'shape': 'cognito-idp CreateUserPoolDomainRequest'},
    'AWS::Cognito::UserPoolResourceServer': {'shape': 'cognito-idp CreateResourceServerRequest'},
    'AWS::DynamoDB::Table': {
        'shape': 'dynamodb CreateTableInput',
        'called': {'SSEEnabled': 'Enabled'},
        'others': {
            'PointInTimeRecoverySpecification': 'dynamodb PointInTimeRecoverySpecification',
            'TimeToLiveSpecification': 'dynamodb TimeToLiveSpecification',
        },
        'filled': ['TableName', 'StreamEnabled'],
    },
    'AWS::EC2::EIP': {'shape': 'ec2 AllocateAddressRequest'},
    'AWS::EC2::InternetGateway': {'shape': 'ec2 CreateInternetGatewayRequest'},
    'AWS::EC2::NatGateway': {'shape': 'ec2 CreateNatGatewayRequest'},
    'AWS::EC2::Route': {'shape': 'ec2 CreateRouteRequest'},
    'AWS::EC2::RouteTable': {'shape': 'ec2 CreateRouteTableRequest'},
    'AWS::EC2::SecurityGroup': {
        'shape': 'ec2 CreateSecurityGroupRequest',
        'called': {'GroupDescription': 'Description', 'CidrIp': 'CidrIpv4'},
        'others': {'SecurityGroupEgress': '[] ec2 SecurityGroupRuleRequest'},
        'filled': ['GroupName'],
    },
    'AWS::EC2::Subnet': {
        'shape': 'ec2 CreateSubnetRequest',
        'skipped': {'MapPublicIpOnLaunch': 'a switch of ModifySubnetAttribute'},
    },
    'AWS::EC2::SubnetRouteTableAssociation': {'shape': 'ec2 AssociateRouteTableRequest'},
    'AWS::EC2::VPC': {
        'shape': 'ec2 CreateVpcRequest',
        'skipped': {
            'EnableDnsHostnames': 'a switch of ModifyVpcAttribute',
            'EnableDnsSupport': 'a switch of ModifyVpcAttribute',
        },
    },
    'AWS::EC2::VPCGatewayAttachment': {'shape': 'ec2 AttachInternetGatewayRequest'},
    'AWS::Events::EventBus': {'shape': 'events CreateEventBusRequest'},
    'AWS::Events::Rule': {
        'shape': 'events PutRuleRequest',
        'others': {'Targets': 'events TargetList'},
        'filled': ['Name'],
    },
    'AWS::IAM::Policy': {
        'shape': 'iam PutRolePolicyRequest',
        'others': {'Roles': '[] iam roleNameType'},
        'filled': ['RoleName'],
    },
    'AWS::IAM::Role': {
        'shape': 'iam CreateRoleRequest',
        'others': {'ManagedPolicyArns': '[] iam arnType', 'Policies': '[] iam PutRolePolicyRequest'},
        'filled': ['RoleName'],
    },
    'AWS::KMS::Key': {'shape': 'kms CreateKeyRequest', 'called': {'KeyPolicy': 'Policy'}},
    'AWS::Lambda::EventInvokeConfig': {'shape': 'lambda PutFunctionEventInvokeConfigRequest'},
    'AWS::Lambda::EventSourceMapping': {'shape': 'lambda CreateEventSourceMappingRequest'},
    'AWS::Lambda::Function': {'shape': 'lambda CreateFunctionRequest', 'filled': ['FunctionName']},
    'AWS::Lambda::LayerVersion': {'shape': 'lambda PublishLayerVersionRequest', 'filled': ['LayerName']},
    'AWS::Lambda::Permission': {'shape': 'lambda AddPermissionRequest', 'filled': ['StatementId']},
    'AWS::Logs::LogGroup': {
        'shape': 'logs CreateLogGroupRequest',
        'others': {'RetentionInDays': 'logs Days'},
        'filled': ['logGroupName'],
    },
    'AWS::S3::Bucket': {
        'shape': 's3 CreateBucketRequest',
        'called': {
            'ServerSideEncryptionConfiguration': 'Rules',
            'ServerSideEncryptionByDefault': 'ApplyServerSideEncryptionByDefault',
            'Id': 'ID',
            'ExposedHeaders': 'ExposeHeaders',
            'MaxAge': 'MaxAgeSeconds',
        },
        'others': {
            'BucketEncryption': 's3 ServerSideEncryptionConfiguration',
            'CorsConfiguration': 's3 CORSConfiguration',
            'LifecycleConfiguration': 's3 BucketLifecycleConfiguration',
            'PublicAccessBlockConfiguration': 's3 PublicAccessBlockConfiguration',
            'Tags': 's3 TagSet',
        },
        # An empty prefix is CloudFormation's default.
        'filled': ['Bucket', 'Prefix'],
    },
    'AWS::S3::BucketPolicy': {'shape': 's3 PutBucketPolicyRequest', 'called': {'PolicyDocument': 'Policy'}},
    'AWS::SNS::Topic': {'shape': 'sns CreateTopicInput', 'filled': ['Name']},
    'AWS::SNS::TopicPolicy': {'reason': 'its members are the policy, and the topics that have it'},
    'AWS::SQS::Queue': {'shape': 'sqs QueueAttributeMap', 'filled': ['QueueName']},
    'AWS::SQS::QueuePolicy': {'reason': 'its members are the policy, and the queues that have it'},
    'AWS::SecretsManager::Secret': {
        'shape': 'secretsmanager CreateSecretRequest',
        'others': {'GenerateSecretString': 'secretsmanager GetRandomPasswordRequest'},
        'skipped': {
            'GenerateStringKey': 'CloudFormation puts the password into the template of a secret',
            'SecretStringTemplate': 'CloudFormation puts the password into the template of a secret',
        },
        'filled': ['Name'],
    },
    'AWS::StepFunctions::StateMachine': {
        'shape': 'stepfunctions CreateStateMachineInput',
        'called': {'DefinitionString': 'definition', 'StateMachineName': 'name', 'StateMachineType': 'type'},
        'skipped': {'DefinitionSubstitutions': 'is put into the definition here'},
        'filled': ['name'],
    },
    'Custom::CDKBucketDeployment': {'reason': 'no service reads it, but a function of the CDK'},
}

# What a reference to a resource is, at a realistic length. `{name}` is a generated name.
REFS = {
    'AWS::ApiGatewayV2::': 'a1b2c3d4e5',
    'AWS::ApiGatewayV2::DomainName': 'api.example.com',
    'AWS::CloudFront::Distribution': 'EDFDVBD6EXAMPLE',
    'AWS::CloudFront::ResponseHeadersPolicy': '5cc3b908-e619-4b99-88e5-2cf7f45965bd',
    'AWS::Cognito::UserPool': '{region}_AbCdEfGhI',
    'AWS::Cognito::UserPoolClient': '1h57kf5cpq17m0eml12EXAMPLE',
    'AWS::Cognito::UserPoolDomain': 'vigil-0123abcd',
    'AWS::Cognito::UserPoolResourceServer': 'vigil',
    'AWS::DynamoDB::Table': '{name}',
    'AWS::EC2::InternetGateway': f'igw-{IDS}',
    'AWS::EC2::NatGateway': f'nat-{IDS}',
    'AWS::EC2::RouteTable': f'rtb-{IDS}',
    'AWS::EC2::Subnet': f'subnet-{IDS}',
    'AWS::EC2::VPC': f'vpc-{IDS}',
    'AWS::Events::EventBus': '{name}',
    'AWS::IAM::Role': '{name}',
    'AWS::Lambda::Function': '{name}',
    'AWS::Lambda::LayerVersion': '{arn}:lambda:{region}:{account}:layer:{name}:1',
    'AWS::Logs::LogGroup': '{name}',
    'AWS::S3::Bucket': '{bucket}',
    'AWS::SNS::Topic': '{arn}:sns:{region}:{account}:{name}',
    'AWS::SQS::Queue': 'https://sqs.{region}.{suffix}/{account}/{name}',
    'AWS::SecretsManager::Secret': '{arn}:secretsmanager:{region}:{account}:secret:{name}-a1b2c3',
    'AWS::StepFunctions::StateMachine': '{arn}:states:{region}:{account}:stateMachine:{name}',
    'AWS::ApiGatewayV2::Api.ApiEndpoint': 'https://a1b2c3d4e5.execute-api.{region}.{suffix}',
    'AWS::ApiGatewayV2::DomainName.RegionalDomainName': 'd-a1b2c3d4e5.execute-api.{region}.{suffix}',
    'AWS::CloudFront::Distribution.DomainName': 'd111111abcdef8.cloudfront.net',
    'AWS::CloudFront::Function.FunctionARN': '{arn}:cloudfront::{account}:function/{name}',
    'AWS::CloudFront::OriginAccessControl.Id': 'E327GJI25M56DG',
    'AWS::Cognito::UserPool.ProviderURL': 'https://cognito-idp.{region}.{suffix}/{region}_AbCdEfGhI',
    'AWS::DynamoDB::Table.Arn': '{arn}:dynamodb:{region}:{account}:table/{name}',
    'AWS::DynamoDB::Table.StreamArn': '{arn}:dynamodb:{region}:{account}:table/{name}/stream/2026-11-30T00:00:00.000',
    'AWS::EC2::EIP.AllocationId': f'eipalloc-{IDS}',
    'AWS::EC2::SecurityGroup.GroupId': f'sg-{IDS}',
    'AWS::Events::EventBus.Arn': '{arn}:events:{region}:{account}:event-bus/{name}',
    'AWS::Events::Rule.Arn': '{arn}:events:{region}:{account}:rule/{name}',
    'AWS::IAM::Role.Arn': '{arn}:iam::{account}:role/{name}',
    'AWS::KMS::Key.Arn': '{arn}:kms:{region}:{account}:key/1234abcd-12ab-34cd-56ef-1234567890ab',
    'AWS::Lambda::Function.Arn': '{arn}:lambda:{region}:{account}:function:{name}',
    'AWS::Logs::LogGroup.Arn': '{arn}:logs:{region}:{account}:log-group:{name}:*',
    'AWS::S3::Bucket.Arn': '{arn}:s3:::{bucket}',
    'AWS::S3::Bucket.RegionalDomainName': '{bucket}.s3.{region}.{suffix}',
    'AWS::SQS::Queue.Arn': '{arn}:sqs:{region}:{account}:{name}',
    'AWS::SQS::Queue.QueueName': '{name}',
    'AWS::StepFunctions::StateMachine.Name': '{name}',
}


class Template:
    """A template as CloudFormation would see it in a region: with the values of its references."""

    def __init__(self, name, template, region, is_on=True):
        # Which value `Fn::If` gives.
        self.is_on = is_on
        partition = 'aws-cn' if region.startswith('cn-') else 'aws-us-gov' if region.startswith('us-gov-') else 'aws'
        self.name, self.template, self.findings = f'{name} in {region}', template, []
        self.resources = template['Resources']
        suffix = 'amazonaws.com.cn' if partition == 'aws-cn' else 'amazonaws.com'
        self.values = {'region': region, 'suffix': suffix, 'account': ACCOUNT, 'arn': f'arn:{partition}'}
        self.pseudo = {
            'AWS::AccountId': ACCOUNT,
            'AWS::NoValue': UNKNOWN,
            'AWS::Partition': partition,
            'AWS::Region': region,
            'AWS::StackId': f'arn:{partition}:cloudformation:{region}:{ACCOUNT}:stack/Vigil/0123abcd-12ab-34cd-56ef-1234567890ab',
            'AWS::StackName': 'Vigil',
            'AWS::URLSuffix': suffix,
        }

    def finding(self, at, problem):
        self.findings.append(f'{self.name}: {at}: {problem}')

    def of(self, *types):
        """Each resource of these types, with its properties."""
        for logical_id, resource in self.resources.items():
            if resource['Type'] in types:
                yield logical_id, self.resolve(resource.get('Properties', {}))

    def reference(self, logical_id, attribute=None):
        if attribute is None and logical_id in self.pseudo:
            return self.pseudo[logical_id]
        if logical_id not in self.resources:
            return UNKNOWN
        kind = self.resources[logical_id]['Type']
        form = REFS.get(f'{kind}.{attribute}' if attribute else kind)
        if form is None and not attribute:
            form = REFS.get(kind.rsplit('::', 1)[0] + '::')
        if form is None:
            self.finding(logical_id, f'no form is named for {kind}.{attribute or "Ref"}')
            return UNKNOWN
        # CloudFormation cuts the name of the stack and the logical id, so that names fit.
        given = self.resources[logical_id].get('Properties', {})
        name = next((self.resolve(given[key]) for key in ('Name', 'LogGroupName') if key in given), UNKNOWN)
        generated = f'Vigil-{logical_id}'[:51] + '-A1B2C3D4E5F6'
        return form.format(
            **self.values,
            name=name if isinstance(name, str) else generated,
            bucket=generated.lower()[:63],
        )

    def resolve(self, value):
        """The value with what its functions give. What only a deployment knows is UNKNOWN."""
        if isinstance(value, list):
            return [self.resolve(one) for one in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            [(function, given)] = value.items()
            if function == 'Ref':
                return self.reference(given)
            if function == 'Fn::GetAtt':
                return self.reference(*given)
            if function.startswith('Fn::'):
                return self.call(function, self.resolve(given))
        return {key: self.resolve(one) for key, one in value.items()}

    def call(self, function, given):
        if function == 'Fn::Sub' and isinstance(given, str):
            parts = regex.split(r'\$\{([^!}]+)\}', given)
            return joined('', [self.reference(*part.split('.', 1)) if i % 2 else part for i, part in enumerate(parts)])
        if function == 'Fn::If':
            return given[1 if self.is_on else 2]
        if function == 'Fn::GetAZs':
            return [f'{self.values["region"]}{zone}' for zone in 'abc']
        if UNKNOWN in given:
            return UNKNOWN
        if function == 'Fn::Join':
            return joined(*given)
        if function == 'Fn::Split':
            return given[1].split(given[0])
        if function == 'Fn::Select':
            return given[1][int(given[0])]
        raise NotImplementedError(function)


def joined(delimiter, parts):
    return UNKNOWN if UNKNOWN in parts or not isinstance(parts, list) else delimiter.join(map(str, parts))


class Models:
    """Checks values by the shapes of botocore, of which its own validator checks types and ranges only."""

    def __init__(self):
        self.session = botocore.session.get_session()
        self.services, self.patterns, self.values = {}, {}, 0

    def shape(self, named):
        service, name = named.split(' ')
        if service not in self.services:
            self.services[service] = self.session.get_service_model(service)
        return self.services[service].shape_for(name)

    def check(self, template, logical_id, resource):
        kind = resource['Type']
        of = TYPES.get(kind)
        if of is None:
            return template.finding(logical_id, f'no operation is named for {kind}, and no reason')
        if 'reason' in of:
            return None
        properties = template.resolve(resource.get('Properties', {}))
        for name, other in of.get('others', {}).items():
            if name not in properties:
                continue
            value, at = properties.pop(name), f'{logical_id}.{name}'
            for one in value if other.startswith('[] ') else [value]:
                self.walk(template, at, one, self.shape(other.removeprefix('[] ')), of)
        # Tags have another form in the requests of EC2.
        if kind.startswith('AWS::EC2::') and 'Tags' in properties:
            self.walk(template, f'{logical_id}.Tags', properties.pop('Tags'), self.shape('ec2 TagList'), of)
        return self.walk(template, logical_id, properties, self.shape(of['shape']), of)

    def walk(self, template, at, value, shape, of):
        if value is UNKNOWN:
            return
        self.values += 1
        {'structure': self.structure, 'list': self.list, 'map': self.map}.get(shape.type_name, self.scalar)(
            template, at, value, shape, of
        )

    def structure(self, template, at, value, shape, of):
        members = {name.lower(): name for name in shape.members}
        # CloudFront has counted lists.
        if 'items' in members and 'quantity' in members:
            value = {'Items': value} if isinstance(value, list) else value
            value = {'Quantity': len(value['Items']), **value} if isinstance(value, dict) and 'Items' in value else value
        if not isinstance(value, dict):
            return template.finding(at, f'{shown(value)} is no structure, as {shape.name}')
        given = set()
        for key, one in value.items():
            if key in of.get('skipped', {}):
                continue
            called = of.get('called', {}).get(key, key)
            name = members.get(called.lower()) or members.get(key.lower())
            if name is None:
                template.finding(at, f'{shape.name} has no {key}')
                continue
            given.add(name)
            self.walk(template, f'{at}.{key}', one, shape.members[name], of)
        for name in set(shape.required_members) - given - set(of.get('filled', [])):
            template.finding(at, f'{shape.name} needs {name}')

    def list(self, template, at, value, shape, of):
        if not isinstance(value, list):
            return template.finding(at, f'{shown(value)} is no list, as {shape.name}')
        self.range(template, at, len(value), shape, 'elements')
        for index, one in enumerate(value):
            self.walk(template, f'{at}[{index}]', one, shape.member, of)

    def map(self, template, at, value, shape, of):
        # Tags are a list in CloudFormation.
        if isinstance(value, list) and all(isinstance(one, dict) and set(one) == {'Key', 'Value'} for one in value):
            value = {one['Key']: one['Value'] for one in value}
        if not isinstance(value, dict):
            return template.finding(at, f'{shown(value)} is no map, as {shape.name}')
        self.range(template, at, len(value), shape, 'elements')
        for key, one in value.items():
            self.walk(template, f'{at}.{key}', key, shape.key, of)
            self.walk(template, f'{at}.{key}', one, shape.value, of)

    def scalar(self, template, at, value, shape, of):
        kind = shape.type_name
        if kind in ('string', 'blob', 'timestamp'):
            # Policies and patterns of events are text for the services.
            text = json.dumps(value, default=str) if isinstance(value, (dict, list)) else str(value)
            text = text.lower() if isinstance(value, bool) else text
            self.range(template, at, len(text), shape, 'characters')
            return self.text(template, at, text, shape)
        if kind == 'boolean':
            if str(value).lower() not in ('true', 'false'):
                template.finding(at, f'{shown(value)} is no boolean')
            return None
        try:
            number = float(value)
        except (TypeError, ValueError):
            return template.finding(at, f'{shown(value)} is no number')
        if kind in ('integer', 'long') and number != int(number):
            template.finding(at, f'{shown(value)} is no whole number')
        return self.range(template, at, number, shape, None)

    def text(self, template, at, text, shape):
        # API Gateway has lengths in names alone.
        between = regex.fullmatch(r'StringWithLengthBetween(\d+)And(\d+)', shape.name)
        if between and not int(between[1]) <= len(text) <= int(between[2]):
            template.finding(at, f'{shown(text)} has {len(text)} characters, not {between[1]} to {between[2]}')
        if getattr(shape, 'enum', None) and text not in shape.enum:
            template.finding(at, f'{shown(text)} is not one of {", ".join(shape.enum)}')
        pattern = shape.metadata.get('pattern')
        if pattern and not self.pattern(pattern).fullmatch(text):
            template.finding(at, f'{shown(text)} does not match {pattern}')

    def pattern(self, pattern):
        if pattern not in self.patterns:
            self.patterns[pattern] = regex.compile(pattern, regex.VERSION0)
        return self.patterns[pattern]

    @staticmethod
    def range(template, at, number, shape, what):
        least, most = (shape.metadata.get(bound) for bound in ('min', 'max'))
        if least is not None and number < least:
            template.finding(at, f'{number} {what or ""} is less than {least}')
        if most is not None and number > most:
            template.finding(at, f'{number} {what or ""} is more than {most}')


def shown(value):
    return json.dumps(value, default=lambda _: '…')[:80]


def compact(value):
    return json.dumps(value, separators=(',', ':'), default=lambda _: '?' * 64)


def most(template, at, what, count, quota):
    if count > quota:
        template.finding(at, f'{what}: {count} is more than the quota of {quota}')


# Which property of a type is a policy, and how many characters it may have. IAM counts no white space.
POLICIES = {
    'AWS::IAM::Role': ('AssumeRolePolicyDocument', 2_048),
    'AWS::IAM::ManagedPolicy': ('PolicyDocument', 6_144),
    'AWS::KMS::Key': ('KeyPolicy', 32_768),
    'AWS::S3::BucketPolicy': ('PolicyDocument', 20_480),
    'AWS::SNS::TopicPolicy': ('PolicyDocument', 30_720),
    'AWS::SQS::QueuePolicy': ('PolicyDocument', 8_192),
}
INLINE_POLICIES = 10_240


def check_policies(template):
    """Sizes. cfn-lint knows the grammar (E3510, E3512, E3530) and the actions (W3037, I3510). Returns how many there are."""
    count, inline = 0, {}
    for logical_id, properties in template.of('AWS::IAM::Policy'):
        count += 1
        for role in properties['Roles']:
            inline[role] = inline.get(role, 0) + len(compact(properties['PolicyDocument']))
    for role, properties in template.of('AWS::IAM::Role'):
        for own in properties.get('Policies', []):
            count += 1
            name = template.resolve({'Ref': role})
            inline[name] = inline.get(name, 0) + len(compact(own['PolicyDocument']))
    for role, size in inline.items():
        most(template, role, 'characters of its inline policies', size, INLINE_POLICIES)
    for kind, (member, quota) in POLICIES.items():
        for logical_id, properties in template.of(kind):
            count += 1
            most(template, f'{logical_id}.{member}', 'characters', len(compact(properties[member])), quota)
    return count


# Quotas that no model has: of all resources of a type that name the same other one.
TOGETHER = [
    ('AWS::ApiGatewayV2::Route', 'ApiId', 'routes of an API', 300),
    ('AWS::ApiGatewayV2::Integration', 'ApiId', 'integrations of an API', 300),
    ('AWS::ApiGatewayV2::Authorizer', 'ApiId', 'authorizers of an API', 10),
    ('AWS::Cognito::UserPoolResourceServer', 'UserPoolId', 'resource servers of a user pool', 25),
    ('AWS::Lambda::EventSourceMapping', 'EventSourceArn', 'readers of a stream', 2),
    ('AWS::Events::Rule', 'EventBusName', 'rules of a bus', 300),
]
# Lengths and counts of a property.
EACH = [
    ('AWS::ApiGatewayV2::Route', 'AuthorizationScopes', len, 10),
    ('AWS::CloudFront::Function', 'FunctionCode', len, 10_240),
    ('AWS::Cognito::UserPoolClient', 'CallbackURLs', len, 100),
    ('AWS::Cognito::UserPoolResourceServer', 'Scopes', len, 100),
    ('AWS::Events::Rule', 'EventPattern', lambda value: len(compact(value)), 2_048),
    ('AWS::Events::Rule', 'Targets', len, 5),
    ('AWS::IAM::Role', 'ManagedPolicyArns', len, 10),
    # Lambda measures them as JSON.
    ('AWS::Lambda::Function', 'Environment', lambda value: len(compact(value['Variables']).encode()), 4_096),
    ('AWS::Lambda::Function', 'Layers', len, 5),
    ('AWS::Lambda::Function', 'Timeout', int, 900),
    ('AWS::Lambda::Function', 'MemorySize', int, 10_240),
    ('AWS::Lambda::EventSourceMapping', 'FilterCriteria', lambda value: len(value['Filters']), 5),
    ('AWS::StepFunctions::StateMachine', 'DefinitionString', lambda value: len(value.encode()), 1_048_576),
]
# Of a function's resource policy. Each permission is a statement with an id, an effect and a principal.
FUNCTION_POLICY = 20_480


def check_quotas(template):
    for kind, member, what, quota in TOGETHER:
        of_kind = [one for one in template.resources.values() if one['Type'] == kind]
        # As the template names it: all APIs have the same id here.
        for value, count in Counter(json.dumps(one['Properties'].get(member)) for one in of_kind).items():
            most(template, value, what, count, quota)
    for kind, member, measure, quota in EACH:
        for logical_id, properties in template.of(kind):
            if member in properties and properties[member] is not UNKNOWN:
                most(template, f'{logical_id}.{member}', 'size', measure(properties[member]), quota)
    permissions = {}
    for _, properties in template.of('AWS::Lambda::Permission'):
        name = str(properties['FunctionName'])
        permissions[name] = permissions.get(name, 0) + len(compact(properties)) + 100
    for name, size in permissions.items():
        most(template, name, 'characters of its resource policy', size, FUNCTION_POLICY)


def check_stack(template):
    whole = template.template
    # As the CDK writes and uploads it.
    most(template, 'the template', 'bytes', len(json.dumps(whole, indent=1)), 1_048_576)
    for part, quota in (('Resources', 500), ('Outputs', 200), ('Parameters', 200), ('Mappings', 200)):
        most(template, part, 'entries', len(whole.get(part, {})), quota)
    most(template, 'Description', 'bytes', len(whole.get('Description', '').encode()), 1_024)
    # Reading a template or an output gives "?" in the place of any other character (aws-cdk's issues 10523 and 38708). Metadata is not read.
    for at, text in texts({key: value for key, value in whole.items() if key != 'Metadata'}):
        if not text.isascii():
            template.finding(at, f'CloudFormation shows ASCII only, not {next(one for one in text if not one.isascii())!a}: {shown(text)}')


def texts(value, at=''):
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, list):
        for one in value:
            yield from texts(one, at)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key != 'Metadata':
                yield from texts(one, f'{at}.{key}'.strip('.'))


def definitions(template):
    """The definitions of state machines, with the values that CloudFormation puts into them."""
    for logical_id, properties in template.of('AWS::StepFunctions::StateMachine'):
        text = properties['DefinitionString']
        for name, value in properties.get('DefinitionSubstitutions', {}).items():
            text = text.replace('${%s}' % name, str(value))
        definition = json.loads(text)
        for state in states(definition):
            most(template, f'{logical_id}.{state}', 'characters of the name', len(state), 80)
        yield logical_id, definition


def states(machine):
    for name, state in machine['States'].items():
        yield name
        inner = [*state.get('Branches', []), *(state[key] for key in ('Iterator', 'ItemProcessor') if key in state)]
        for one in inner:
            yield from states(one)


def check(models, template):
    """Fills the template's findings. Returns the number of its policies, and its definitions."""
    for logical_id, resource in template.resources.items():
        models.check(template, logical_id, resource)
    policies = check_policies(template)
    check_quotas(template)
    check_stack(template)
    return policies, dict(definitions(template))


def self_check(models):
    """Each kind of defect must be found. Returns what was not."""
    function = {'Role': f'arn:aws:iam::{ACCOUNT}:role/r', 'Code': {'ZipFile': 'x'}, 'Handler': 'i.h', 'Runtime': 'nodejs24.x'}
    policy = {'PolicyName': 'p', 'Roles': ['r']}
    role = {'AssumeRolePolicyDocument': {'Statement': []}}
    statement = {'Effect': 'Allow', 'Action': 's3:GetObject', 'Resource': 'x' * 11_000}
    machine = {'RoleArn': function['Role'], 'DefinitionString': '{"StartAt":"A","States":{"%s":{}}}' % ('A' * 81)}
    defects = [
        ('has no Colour', 'AWS::Lambda::Function', {**function, 'Colour': 'red'}),
        ('is not one of', 'AWS::Lambda::Function', {**function, 'Runtime': 'nodejs23.x'}),
        ('needs Role', 'AWS::Lambda::Function', {'Code': {'ZipFile': 'x'}}),
        ('does not match', 'AWS::Lambda::Function', {**function, 'Role': 'nobody'}),
        ('is no number', 'AWS::Lambda::EventSourceMapping', {'FunctionName': 'f', 'BatchSize': 'many'}),
        ('is no structure', 'AWS::Lambda::Function', {**function, 'LoggingConfig': 'JSON'}),
        ('is more than 256', 'AWS::Lambda::Function', {**function, 'Description': 'x' * 257}),
        ('quota of 4096', 'AWS::Lambda::Function', {**function, 'Environment': {'Variables': {'A': 'x' * 4_100}}}),
        ('quota of 900', 'AWS::Lambda::Function', {**function, 'Timeout': 901}),
        ('shows ASCII only', 'AWS::Lambda::Function', {**function, 'Description': 'Réminds'}),
        ('is more than 64', 'AWS::Events::Rule', {'Name': 'n' * 65, 'ScheduleExpression': 'rate(1 day)'}),
        ('not 1 to 128', 'AWS::ApiGatewayV2::Api', {'Name': 'n' * 129, 'ProtocolType': 'HTTP'}),
        ('quota of 10240', 'AWS::IAM::Policy', {**policy, 'PolicyDocument': {'Statement': [statement]}}),
        ('quota of 10240', 'AWS::IAM::Role', {**role, 'Policies': [{'PolicyName': 'p', 'PolicyDocument': {'Statement': [statement]}}]}),
        ('quota of 80', 'AWS::StepFunctions::StateMachine', machine),
        ('no operation is named', 'AWS::Lambda::Url', {}),
    ]
    for words, kind, properties in defects:
        template = Template('a defect', {'Resources': {'It': {'Type': kind, 'Properties': properties}}}, 'us-east-1')
        check(models, template)
        if not any(words in finding for finding in template.findings):
            yield f'not found: {kind} {words}: {template.findings}'


def main(folder):
    models = Models()
    if missed := list(self_check(models)):
        sys.exit('\n'.join(missed))
    models.values = 0
    regions_of = json.loads((folder / 'regions.json').read_text())
    machines, findings = folder / 'machines', []
    machines.mkdir(exist_ok=True)
    resources = policies = checked = 0
    for name, regions in regions_of.items():
        text = json.loads((folder / f'{name}.json').read_text())
        # Both values of a condition, by turns.
        for at, region in enumerate(regions):
            template = Template(name, text, region, is_on=at % 2 == 0)
            count, definitions_of = check(models, template)
            findings += template.findings
            policies, checked = policies + count, checked + 1
            resources += len(template.resources)
            for logical_id, definition in definitions_of.items():
                (machines / f'{name}.{template.pseudo["AWS::Partition"]}.{logical_id}.json').write_text(json.dumps(definition))
    for finding in findings:
        print(finding)
    written = len(list(machines.iterdir()))
    print(f'{len(regions_of)} templates, {checked} with their regions: {resources} resources with {models.values} values by {len(models.services)} '
          f'models of botocore, {policies} policies, {written} state machines; {len(findings)} findings')
    return 1 if findings else 0


if __name__ == '__main__':
    sys.exit(main(Path(sys.argv[1])))
