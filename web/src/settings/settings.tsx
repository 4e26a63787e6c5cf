import { clsx } from 'clsx';
import { type ReactNode, type RefObject, useId } from 'react';
import { useModule } from '../hooks/use-module';
import { t } from '../languages/catalogue';
import { languageKept, languages } from '../languages/locale';
import { NoticeSettings } from '../notices/notice-settings';
import { ListDialog } from '../ui/dialog';
import { type ChoiceName, type Chosen, choose, keep, useChosen } from './choices';
import { SettingsSection } from './settings-section';

interface SettingsProps {
  close: () => void;
  opener: RefObject<HTMLElement | null>;
}

/** What the user sets about the page: its look and its language in this browser, and their notifications. */
export function Settings({ close, opener }: SettingsProps) {
  const isNotified = useModule('notices');
  return (
    <ListDialog title={t('Settings')} close={close} opener={opener} className="w-[34rem] max-w-[calc(100vw-2rem)]">
      <div className="overflow-y-auto text-sm">
        <SettingsSection title={t('Appearance')} about={t('Kept in this browser.')}>
          <Choices name="theme" title={t('Theme')}>
            {[
              ['system', t('System')],
              ['light', t('Light')],
              ['dark', t('Dark')],
            ]}
          </Choices>
          <Choices name="density" title={t('Density')}>
            {[
              ['comfortable', t('Comfortable')],
              ['compact', t('Compact')],
            ]}
          </Choices>
        </SettingsSection>
        <SettingsSection
          title={t('Language and dates')}
          about={t('Kept in this browser. The page loads again; what you have written stays.')}
        >
          <Languages />
          <Dates />
        </SettingsSection>
        {isNotified && <NoticeSettings />}
      </div>
    </ListDialog>
  );
}

interface ChoicesProps<Name extends ChoiceName> {
  name: Name;
  title: string;
  children: readonly (readonly [Chosen<Name>, string])[];
}

/** One of a few, all of which are seen. */
function Choices<Name extends ChoiceName>({ name, title, children }: ChoicesProps<Name>) {
  const now = useChosen(name);
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
      <legend className="float-left w-32">{title}</legend>
      <div className="flex rounded-lg border border-line bg-side p-0.5">
        {children.map(([value, words]) => (
          <label
            key={value}
            className={clsx(
              'flex h-7 cursor-pointer items-center rounded-md px-3 has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-11',
              now === value ? 'bg-raised font-medium shadow-sm ring-1 ring-line' : 'text-muted hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              checked={now === value}
              onChange={() => choose(name, value)}
              className="sr-only"
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Languages() {
  const kept = localStorage.getItem(languageKept) ?? '';
  const change = (to: string) => {
    keep('language', to || undefined);
    location.reload();
  };
  return (
    <Row title={t('Language')}>
      {(id) => (
        <select id={id} value={kept} onChange={({ target }) => change(target.value)} className={fieldLook}>
          <option value="">{t('System')}</option>
          {Object.entries(languages).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Row>
  );
}

function Dates() {
  const now = useChosen('dates');
  const change = (to: Chosen<'dates'>) => {
    choose('dates', to);
    location.reload();
  };
  return (
    <Row title={t('Dates and times')}>
      {(id) => (
        <select
          id={id}
          value={now}
          onChange={({ target }) => change(target.value as Chosen<'dates'>)}
          className={fieldLook}
        >
          <option value="region">{t('As in your region')}</option>
          <option value="iso">2026-11-28, 14:00</option>
        </select>
      )}
    </Row>
  );
}

const fieldLook =
  'h-8 max-w-full rounded-lg border border-line bg-page px-2 outline-none focus-visible:border-accent pointer-coarse:h-11';

function Row({ title, children }: { title: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
      <label htmlFor={id} className="min-h-6 w-32 content-center">
        {title}
      </label>
      {children(id)}
    </div>
  );
}
