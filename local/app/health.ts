import { version } from '../../package.json';
import type { CloudClock } from '../cloud-clock';
import type { Template } from '../template/template';

export interface HealthOptions {
  /** The latest deployment's. */
  template: () => Template;
  clock: CloudClock;
  urls: { url: string; awsUrl: string };
  notes: Readonly<Record<string, string>>;
  /** Whose engines run, for example `dynamodb: "embedded"`. */
  engines: Readonly<Record<string, string>>;
}

/** Policies, permissions and the parts of an API are wiring: a list of what there is leaves them out. */
const wiring = /^AWS::(?:IAM|Lambda::Permission|Logs|CDK|ApiGatewayV2::(?:Stage|Integration|Authorizer))/;

/** `GET /_local/health`: what runs, where, of what versions; `notes` at the top level, for example the model's label. */
export function healthOf({ template, clock, urls, notes, engines }: HealthOptions): () => object {
  const started = Date.now();
  return () => ({
    status: 'ok',
    now: new Date(clock.now()).toISOString(),
    offset: clock.offset(),
    uptimeSeconds: Math.round((Date.now() - started) / 1_000),
    ...notes,
    ...urls,
    stack: template().place.stackName,
    region: template().place.region,
    outputs: template().outputs,
    resources: listed(template()),
    engines,
    versions: { vigil: version, node: process.versions.node },
  });
}

const listed = ({ resources }: Template) =>
  resources
    .filter(({ type }) => !wiring.test(type))
    .map(({ logicalId, name, type, ref }) => ({ logicalId, name, type, ref }));
