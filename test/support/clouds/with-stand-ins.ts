import { openStandIns, type StandIns } from '../../../local/npm-start/stand-ins';
import { startVigil, type Vigil } from './vigil';

/** Starts a cloud whose model and search are the stand-ins for all tests of the group that calls this. @returns how a test gets them. */
export function cloudWithStandIns(): () => { vigil: Vigil; standIns: StandIns } {
  let vigil: Vigil;
  let standIns: StandIns;
  beforeAll(async () => {
    standIns = await openStandIns({});
    vigil = await startVigil({ variables: standIns.variables });
  });
  afterAll(async () => {
    await vigil?.stop();
    await standIns?.stop();
  });
  return () => ({ vigil, standIns });
}
