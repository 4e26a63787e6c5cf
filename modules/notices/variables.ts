import type { VigilModule } from '../../infra/module';
import { checkAddress } from './check-address';
import { notices } from './construct';

/** As environment variables set it, whose names errors have. This repository's app always has it. @throws ConfigurationError */
export function noticesFrom(env: Readonly<Record<string, string | undefined>>): VigilModule[] {
  const { VIGIL_MAIL_FROM: mailFrom = '', VIGIL_PUSH_ORIGINS: origins = '' } = env;
  checkAddress(mailFrom, 'VIGIL_MAIL_FROM');
  const pushOrigins = origins.split(',').flatMap((one) => one.trim() || []);
  return [notices({ mailFrom, pushOrigins })];
}
