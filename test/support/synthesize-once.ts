import { synthesize } from '../../infra/synth';
import { assembly } from './assembly';

/** Jest calls this once before the scenarios: they all run the same template and bundles. */
export default async function synthesizeOnce(): Promise<void> {
  await synthesize(assembly);
}
