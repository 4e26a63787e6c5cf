import type { Member } from 'vigil-client/shared';
import { t } from '../languages/catalogue';

export type Role = Member['role'];

export const fieldLook =
  'h-8 min-w-0 rounded-lg border border-line bg-page px-2 text-sm outline-none placeholder:text-faint focus:border-accent [@media(hover:none)]:h-11';

interface RoleChoiceProps {
  label: string;
  role: Role;
  change: (to: Role) => void;
  disabled?: boolean;
}

/** What somebody may do. */
export const RoleChoice = ({ label, role, change, disabled }: RoleChoiceProps) => (
  <select
    aria-label={label}
    value={role}
    disabled={disabled}
    onChange={({ target }) => change(target.value as Role)}
    className={fieldLook}
  >
    <option value="member">{t('Writes')}</option>
    <option value="watcher">{t('Reads')}</option>
  </select>
);
