import { version } from '../../package.json';
import type { Template } from '../template/template';

export interface HealthOptions {
  /** Returns the latest deployment's template. */
  template: () => Template;
  /** See `GET /_local/clock`. */
  time: () => object;
  urls: { url: string; awsUrl: string };
  notes: Readonly<Record<string, string>>;
  /** The engines in use, for example `dynamodb: "embedded"`. */
  engines: Readonly<Record<string, string>>;
}

/** Types left out of the list of resources: policies, permissions and parts of an API. */
const wiring = /^AWS::(?:IAM|Lambda::Permission|Logs|CDK|ApiGatewayV2::(?:Stage|Integration|Authorizer))/;

/**
 * Returns the body of `GET /_local/health`: the resources, addresses and versions, with `notes` at the top level, for
 * example the model's label.
 */
export function healthOf({ template, time, urls, notes, engines }: HealthOptions): () => object {
  const started = Date.now();
  return () => ({
    status: 'ok',
    ...time(),
    uptimeSeconds: Math.round((Date.now() - started) / 1_000),
    ...notes,
    ...urls,
    stack: template().place.stackName,
    region: template().place.region,
    outputs: template().outputs,
    resources: listed(template()),
    // Those that the app's tools name. The page offers them to the people that it makes.
    approvers: template().metadata.Approvers,
    // The bundle with the app's agents and tools, for programs that replay runs.
    definitions: template().metadata.Definitions,
    engines,
    versions: { vigil: version, node: process.versions.node },
  });
}

const listed = ({ resources }: Template) =>
  resources
    .filter(({ type }) => !wiring.test(type))
    .map(({ logicalId, name, type, ref }) => ({ logicalId, name, type, ref }));
