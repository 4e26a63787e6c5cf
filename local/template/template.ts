import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { noValue, resolveIntrinsics, type Scope } from './intrinsics';
import { type PhysicalId, type Place, physicalId } from './physical-ids';
import { assertSupported } from './supported';

/** Properties with every intrinsic function resolved. */
export type Properties = Readonly<Record<string, unknown>>;

export interface Resource {
  logicalId: string;
  type: string;
  /** The construct's own name, `CallModel` of `Vigil/Agents/CallModel/Resource`. */
  name: string;
  ref: string;
  attributes: Readonly<Record<string, string>>;
  properties: Properties;
  /** The folder of the asset (a function's bundle), if there is one. */
  assetPath?: string;
}

/** A model that agents request, from the deployment's own provider unless another one is named. */
export interface AskedModel {
  name: string;
  agents: string[];
  ends?: { on: string; instead: string };
  /** What is said of it if it has no price. */
  unpriced?: string;
  /** `key` is the name of the variable with the key. `baseUrlVariable` names one that overrides the address. */
  provider?: {
    name: string;
    kind: 'openai' | 'chat' | 'anthropic';
    baseUrl?: string;
    baseUrlVariable: string;
    key: string;
  };
}

/** A secret or a variable that tools need. */
export interface NeededValue {
  name: string;
  kind: 'secret' | 'variable';
  /** The tools, or their MCP servers, that do nothing without it. */
  tools: string[];
  /** Those that can do without it. */
  optionalFor: string[];
}

/** What a stack says of itself in its template's metadata: see the functions `describe…` of infra. */
export interface Metadata {
  Models: readonly AskedModel[];
  Agents: readonly { name: string; example?: string }[];
  Approvers: readonly object[];
  Needs: readonly NeededValue[];
  /** The page's `/theme.css`. */
  Theme?: string;
  /** The file with the definitions of the agents; in a `Template` as a path on this machine. */
  Definitions?: string;
}

export const metadataOf = ({ Metadata }: Pick<Raw, 'Metadata'>): Metadata => ({
  Models: [],
  Agents: [],
  Approvers: [],
  Needs: [],
  ...Metadata,
});

export interface Template {
  place: Place;
  resources: readonly Resource[];
  outputs: Readonly<Record<string, unknown>>;
  metadata: Metadata;
  ofType(type: string): Resource[];
}

interface Raw {
  Parameters?: Record<string, { Default?: unknown }>;
  Conditions?: Record<string, unknown>;
  Resources?: Record<string, RawResource>;
  Outputs?: Record<string, { Value: unknown; Condition?: string }>;
  Metadata?: Partial<Metadata>;
}

interface RawResource {
  Type: string;
  Condition?: string;
  Properties?: Record<string, unknown>;
  Metadata?: Record<string, string>;
}

/** Reads the only stack of a CDK assembly, as it would be deployed to `place`. */
export async function readTemplate(assembly: string, place: Omit<Place, 'stackName'>): Promise<Template> {
  const files = (await readdir(assembly)).filter((file) => file.endsWith('.template.json'));
  const [file] = files;
  if (!file || files.length > 1) {
    throw new Error(
      `The local cloud runs one stack; ${assembly} has ${files.length}${files.length ? `: ${files.join(', ')}` : ''}.`,
    );
  }
  const raw = JSON.parse(await readFile(join(assembly, file), 'utf8')) as Raw;
  return resolveTemplate(raw, { ...place, stackName: file.replace('.template.json', '') }, resolve(assembly));
}

function resolveTemplate(raw: Raw, place: Place, assembly: string): Template {
  const scope = scopeOf(raw, place);
  const wanted = Object.entries(raw.Resources ?? {}).filter(([logicalId, { Condition }]) =>
    isThere(Condition, scope, logicalId),
  );
  const resources = wanted.map(([logicalId, resource]): Resource => {
    assertSupported(logicalId, resource.Type, resource.Properties ?? {});
    const properties = resolveIntrinsics(resource.Properties ?? {}, scope, logicalId) as Properties;
    const { ref, attributes } = physicalId(logicalId, resource.Type, properties, place);
    const assetPath = assetOf(resource, assembly);
    return {
      logicalId,
      type: resource.Type,
      name: nameOf(logicalId, resource),
      ref,
      attributes,
      properties,
      assetPath,
    };
  });
  const outputs = Object.entries(raw.Outputs ?? {})
    .filter(([name, { Condition }]) => isThere(Condition, scope, `output ${name}`))
    .map(([name, { Value }]) => [name, resolveIntrinsics(Value, scope, `output ${name}`)] as const);
  const ofType = (type: string) => resources.filter((resource) => resource.type === type);
  const { Definitions, ...described } = metadataOf(raw);
  const metadata = { ...described, ...(Definitions && { Definitions: resolve(assembly, Definitions) }) };
  return { place, resources, outputs: Object.fromEntries(outputs), metadata, ofType };
}

const isThere = (Condition: string | undefined, scope: Scope, where: string): boolean =>
  Condition === undefined || resolveIntrinsics({ Condition }, scope, where) === true;

export const stackIdOf = ({ region, accountId, stackName }: Place): string =>
  `arn:aws:cloudformation:${region}:${accountId}:stack/${stackName}/local`;

function scopeOf(raw: Raw, place: Place): Scope {
  const pseudo: Record<string, unknown> = {
    'AWS::AccountId': place.accountId,
    'AWS::NoValue': noValue,
    'AWS::Partition': 'aws',
    'AWS::Region': place.region,
    'AWS::StackId': stackIdOf(place),
    'AWS::StackName': place.stackName,
    'AWS::URLSuffix': 'amazonaws.com',
  };
  const known = new Map<string, PhysicalId>();
  const underway = new Set<string>();
  const identify = (logicalId: string): PhysicalId => {
    const resource = raw.Resources?.[logicalId];
    if (!resource) throw new Error(`The template refers to ${logicalId}, which is neither a resource nor a parameter.`);
    const found = known.get(logicalId);
    if (found) return found;
    if (underway.has(logicalId)) throw new Error(`The template has a circular reference at ${logicalId}.`);
    underway.add(logicalId);
    // An id depends only on names and kinds. Other properties may refer back to this resource.
    const naming = Object.entries(resource.Properties ?? {}).filter(([key]) =>
      /Name$|^Domain$|^Identifier$|^FifoTopic$|^ProtocolType$/.test(key),
    );
    const properties = resolveIntrinsics(Object.fromEntries(naming), scope, logicalId) as Properties;
    const made = physicalId(logicalId, resource.Type, properties, place);
    known.set(logicalId, made);
    return made;
  };
  const scope: Scope = {
    ref(name) {
      if (Object.hasOwn(pseudo, name)) return pseudo[name];
      const parameter = raw.Parameters?.[name];
      if (!parameter) return identify(name).ref;
      if (parameter.Default === undefined) throw new Error(`The template's parameter ${name} has no default value.`);
      return parameter.Default;
    },
    attribute(logicalId, name) {
      const value = identify(logicalId).attributes[name];
      if (value !== undefined) return value;
      throw new Error(
        `The local cloud does not know the attribute ${name} of ${logicalId} (${raw.Resources?.[logicalId]?.Type}).`,
      );
    },
    condition(name) {
      if (raw.Conditions && Object.hasOwn(raw.Conditions, name)) return raw.Conditions[name];
      throw new Error(`The template has no condition ${name}.`);
    },
  };
  return scope;
}

function assetOf(resource: RawResource, assembly: string): string | undefined {
  const path = resource.Metadata?.['aws:asset:path'];
  if (path) return resolve(assembly, path);
  // Without that metadata, which the CDK's command line requests, the assembly's naming scheme gives the folder.
  const key = (resource.Properties?.Code as { S3Key?: unknown } | undefined)?.S3Key;
  return typeof key === 'string' ? join(assembly, `asset.${key.replace(/\.zip$/, '')}`) : undefined;
}

function nameOf(logicalId: string, resource: RawResource): string {
  const path = resource.Metadata?.['aws:cdk:path']?.split('/') ?? [];
  const own = path.filter((part) => part !== 'Resource' && part !== 'Default').at(-1);
  return own ?? logicalId.replace(/[0-9A-F]{8}$/, '');
}
