import { generatedSecret } from './aws/secrets';
import { type Rule, rulesOf } from './events/event-bridge';
import { type Iam, openIam } from './iam/iam';
import { openPrincipals, type Principals } from './iam/principals';
import { unreservedConcurrency } from './lambda/concurrency';
import { leftOpen } from './template/left-open';
import { type Resource, readTemplate, type Template } from './template/template';
import { openUndelivered, type Undelivered, type UndeliveredOptions } from './undelivered';
import { type SocketApi, socketApiOf } from './websocket-api/socket-api';

/** The contents of one template. It is read and checked completely before any of it takes effect. */
export interface Deployment {
  template: Template;
  functions: readonly Resource[];
  /** See `LambdaOptions`. */
  unreserved: number;
  /** Values for variables that the template declares, and for secrets. */
  variables: Readonly<Record<string, string>>;
  iam: Iam;
  principals: Principals;
  /** Throws if the function's role may not do this. */
  authorize: (lambda: Resource, action: string, resource: string) => void;
  /** Whether API Gateway may invoke a function for this route. */
  mayCall: (functionArn: string, sourceArn: string) => boolean;
  undelivered: Undelivered;
  rules: readonly Rule[];
  socketApi: SocketApi | undefined;
}

export interface DeploymentOptions extends Pick<UndeliveredOptions, 'stateDirectory' | 'clock' | 'log'> {
  place: Parameters<typeof readTemplate>[1];
  /** See `LocalCloudOptions`. */
  variables?: Readonly<Record<string, string>>;
  environment?: NodeJS.ProcessEnv;
}

/** The secret of the functions' access keys. */
export const accessSecret = (stateDirectory: string): string =>
  generatedSecret(stateDirectory, 'access keys of functions');

/**
 * @throws Error in one line for what the local cloud does not support, and for inconsistencies.
 */
export async function readDeployment(assembly: string, options: DeploymentOptions): Promise<Deployment> {
  const { place, variables, environment = {}, ...rest } = options;
  const template = await readTemplate(assembly, place);
  const functions = template.ofType('AWS::Lambda::Function');
  const iam = openIam(template);
  const principals = openPrincipals(functions, accessSecret(options.stateDirectory));
  const authorize: Deployment['authorize'] = (lambda, action, resource) =>
    iam.authorize({ principal: principals.roleOf(lambda), action, resource });
  return {
    template,
    functions,
    unreserved: unreservedConcurrency(environment, functions),
    iam,
    principals,
    authorize,
    variables: { ...leftOpen(template, environment), ...variables },
    mayCall: (to, source) => iam.mayInvoke('apigateway.amazonaws.com', to, source),
    undelivered: openUndelivered({ ...rest, template, authorize }),
    rules: rulesOf({
      template,
      log: options.log,
      mayInvoke: (to, rule) => iam.mayInvoke('events.amazonaws.com', to, rule),
    }),
    socketApi: socketApiOf(template),
  };
}
