import { useEffect, useState } from 'react';
import type { NotificationSettings } from 'vigil-client/shared';
import { useRead } from '../hooks/use-read';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import { SettingsSection } from '../settings/settings-section';
import { Button } from '../ui/button';
import { Trouble } from '../ui/trouble';
import { wordsOf } from '../words/problem-words';
import type { DeviceState } from './device';
import { Devices } from './devices';
import { QuietHours } from './quiet-hours';

/** A section of the settings: what the user is notified of, when, and on which devices. Each change is stored at once. */
export function NoticeSettings() {
  const { notices } = useVigil();
  const [problem, setProblem] = useState('');
  const { value: settings, setValue: setSettings, reading, again } = useRead(notices.settings);

  async function change(to: Partial<NotificationSettings>): Promise<void> {
    const before = settings;
    const next = { ...settings!, ...to };
    setSettings(next);
    setProblem('');
    await notices.change(next).catch((error: unknown) => {
      setSettings(before);
      setProblem(t('Not stored: {problem}', { problem: wordsOf(error) }));
    });
  }

  return (
    <SettingsSection title={t('Notifications')} about={t('What you hear of while you do not look at a conversation.')}>
      <div className="flex flex-col gap-4">
        {reading.is === 'loading' && <p role="status">{t('Loading…')}</p>}
        {reading.is === 'failed' && (
          <Trouble title={t('Could not be loaded')} problem={reading.problem} retry={again} />
        )}
        <ThisBrowser />
        {settings && reading.is === 'ready' && (
          <>
            <fieldset className="flex flex-col">
              <legend className="mb-1 font-medium">{t('Notify me of')}</legend>
              {kinds().map(([field, label]) => (
                <Switch
                  key={field}
                  label={label}
                  on={settings[field] ?? true}
                  change={(on) => void change({ [field]: on })}
                />
              ))}
            </fieldset>
            <QuietHours hours={settings.quietHours} change={(quietHours) => void change({ quietHours })} />
            <fieldset className="flex flex-col">
              <legend className="mb-1 font-medium">{t('How')}</legend>
              <Switch
                label={t('Quote the conversation. Whoever sees your screen can read it')}
                on={settings.words}
                change={(words) => void change({ words })}
              />
              <Switch label={t('Also by e-mail')} on={settings.mail} change={(mail) => void change({ mail })} />
            </fieldset>
          </>
        )}
        {problem && (
          <p role="alert" className="text-bad">
            {problem}
          </p>
        )}
        <Devices ended={again} />
      </div>
    </SettingsSection>
  );
}

const kinds = () =>
  [
    ['reminders', t('Reminders that are due')],
    ['approvals', t('Approvals that wait for me')],
    ['questions', t('Questions that wait for me')],
    ['failures', t('Work that failed or reached a limit')],
    ['answers', t('Answers')],
    ['mentions', t('That somebody mentions me')],
    ['allowed', t('What is done without asking, as I have allowed')],
  ] as const;

function Switch({ label, on, change }: { label: string; on: boolean; change: (on: boolean) => void }) {
  return (
    <label className="flex min-h-8 cursor-pointer items-center gap-2.5">
      <input
        type="checkbox"
        checked={on}
        onChange={({ target }) => change(target.checked)}
        className="size-4 shrink-0 accent-fill"
      />
      {label}
    </label>
  );
}

function stateWords(state: DeviceState): string {
  switch (state) {
    case 'unsupported':
      return t('This browser cannot show notifications. On an iPhone, add the page to the home screen first.');
    case 'blocked':
      return t('This browser blocks notifications of this page. Allow them in its settings.');
    case 'off':
      return t('This browser shows none.');
    case 'on':
      return t('This browser shows them.');
  }
}

function ThisBrowser() {
  const { notices } = useVigil();
  const [state, setState] = useState<DeviceState>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  useEffect(() => void notices.device.state().then(setState), [notices]);
  async function turn(on: boolean): Promise<void> {
    setBusy(true);
    setProblem('');
    try {
      await (on ? notices.device.turnOn() : notices.device.turnOff());
    } catch (error) {
      setProblem(t('Could not be changed: {problem}', { problem: wordsOf(error) }));
    }
    setState(await notices.device.state());
    setBusy(false);
  }
  if (!state) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-side px-3 py-2.5">
      <p role="status" className="min-w-48 grow basis-0">
        {stateWords(state)}
      </p>
      {state === 'off' && (
        <Button look="strong" disabled={busy} onClick={() => void turn(true)}>
          {t('Turn on')}
        </Button>
      )}
      {state === 'on' && (
        <Button disabled={busy} onClick={() => void turn(false)}>
          {t('Turn off')}
        </Button>
      )}
      {problem && (
        <p role="alert" className="basis-full text-bad">
          {problem}
        </p>
      )}
    </div>
  );
}
