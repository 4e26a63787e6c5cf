import { once } from 'node:events';
import { type CloudProcess, startCloud } from '../../../package/testing/cloud-process';
import { compiledCloud, identityKey } from './compile-cloud';

export { endCloud } from '../../../package/testing/cloud-process';

export type ServedCloud = CloudProcess;

/** Starts a compiled cloud. Uses free ports, or AWS_PORT. With VIGIL_PAGE it serves the page in that folder. */
export function serveCloud(assembly: string, state: string, env: NodeJS.ProcessEnv): Promise<ServedCloud> {
  const page = env.VIGIL_PAGE ? ['--web', env.VIGIL_PAGE] : [];
  const awsPort = env.AWS_PORT ? ['--aws-port', env.AWS_PORT] : [];
  return startCloud({ assembly, state, env, identityKey, args: [...page, ...awsPort], entry: [compiledCloud] });
}

/** Deploys other environment variables, and perhaps another assembly, to a running cloud. */
export async function deployTo(
  { process: child }: ServedCloud,
  deployed: { environment: NodeJS.ProcessEnv; assembly?: string },
): Promise<void> {
  const answered = once(child, 'message') as Promise<[{ error?: string }]>;
  child.send(deployed);
  const [{ error }] = await answered;
  if (error) throw new Error(error);
}

/** Returns the conversation table. The live view has a table, too. */
export const conversationsIn = (tableNames: string[]): string =>
  tableNames.find((name) => name.includes('ConversationTable'))!;
