import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For tests: an assembly as the CDK would synthesize it, from a template and functions in the test. */
export interface Handwritten {
  assembly: string;
  /** An empty folder next to it. */
  stateDirectory: string;
  /** Writes the template again, as a changed app would. Only the code of `functions` is new. */
  rewrite(resources: Record<string, object>, functions?: Record<string, string>): void;
  remove(): void;
}

/** `functions`: the source of each function's `index.js`, by logical id (see `lambdaResources`). */
export function handwritten(resources: Record<string, object>, functions: Record<string, string> = {}): Handwritten {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-test-'));
  const assembly = join(folder, 'assembly');
  const stateDirectory = join(folder, 'state');
  const writeAsset = (name: string, source: string) => {
    mkdirSync(join(assembly, name), { recursive: true });
    writeFileSync(join(assembly, name, 'index.js'), source);
  };
  for (const [id, source] of Object.entries(functions)) writeAsset(`asset.${id}`, source);
  mkdirSync(assembly, { recursive: true });
  mkdirSync(stateDirectory);
  let version = 1;
  const paths: Record<string, string> = {};
  const rewrite: Handwritten['rewrite'] = (next, changed = {}) => {
    version++;
    for (const [id, source] of Object.entries(changed)) {
      paths[id] = `asset.${id}-${version}`;
      writeAsset(paths[id], source);
    }
    const moved = Object.entries(next).map(([id, resource]) => [id, paths[id] ? at(paths[id], resource) : resource]);
    writeFileSync(join(assembly, 'Small.template.json'), JSON.stringify({ Resources: Object.fromEntries(moved) }));
  };
  rewrite(resources);
  return { assembly, stateDirectory, rewrite, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function at(path: string, resource: object): object {
  const { Metadata } = resource as { Metadata?: object };
  return { ...resource, Metadata: { ...Metadata, 'aws:asset:path': path } };
}

interface LambdaOptions {
  environment?: Record<string, unknown>;
  timeout?: number;
  /** Policy statements of its role. */
  statements?: object[];
  properties?: Record<string, unknown>;
}

/** Returns a function `id`, its role `<id>Role` and that role's policy. */
export function lambdaResources(id: string, options: LambdaOptions = {}): Record<string, object> {
  const { environment = {}, timeout = 5, statements = [], properties = {} } = options;
  return {
    [id]: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Code: { S3Bucket: 'assets', S3Key: `${id}.zip` },
        Environment: { Variables: environment },
        Handler: 'index.handler',
        Role: { 'Fn::GetAtt': [`${id}Role`, 'Arn'] },
        Runtime: 'nodejs24.x',
        Timeout: timeout,
        ...properties,
      },
      Metadata: { 'aws:asset:path': `asset.${id}`, 'aws:cdk:path': `Small/${id}/Resource` },
    },
    [`${id}Role`]: { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: {} } },
    [`${id}Policy`]: {
      Type: 'AWS::IAM::Policy',
      Properties: {
        PolicyName: `${id}Policy`,
        PolicyDocument: { Statement: statements },
        Roles: [{ Ref: `${id}Role` }],
      },
    },
  };
}

export function tableResource(properties: Record<string, unknown> = {}): object {
  return {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      ...properties,
    },
  };
}
