import { NotAllowed } from '../../core/base/text/errors';
import { optionalVariable } from '../../runtime/environment';

/** Whether people come into conversations by links. By default, the owner lets in each one. @throws NotAllowed if the deployment has no links. */
export function linkPolicy(): 'open' | 'confirmed' {
  const policy = optionalVariable('VIGIL_LINKS');
  if (policy === 'off') throw new NotAllowed('This deployment has no links to conversations: name users or groups.');
  return policy === 'open' ? 'open' : 'confirmed';
}
