import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { VigilProvider } from 'vigil-client/react';
import { App, loadChat, loadNotices } from './app';
import { openPlace } from './hooks/use-place';
import { VigilContext } from './hooks/use-vigil';
import { loadLanguage, t } from './languages/catalogue';
import { ownLanguage } from './languages/locale';
import { rich } from './languages/rich';
import { joinTaken, takeJoin } from './members/join';
import { readConfig } from './network/session';
import { followOtherWindows } from './settings/choices';
import { openVigil } from './state/vigil';
import { wordsOf } from './words/problem-words';
import './style.css';
import { keepKeysOfInputMethods } from './ui/input-method';
import { keepSteady } from './ui/steady';
import { Trouble } from './ui/trouble';

// Before anything else listens.
keepKeysOfInputMethods(window);
keepSteady();
takeJoin();
// A link that is opened in this window. The others then see the address without it.
addEventListener('hashchange', takeJoin);
followOtherWindows();

const root = createRoot(document.getElementById('page')!);

let signsIn = false;

async function begin(): Promise<void> {
  const [config] = await Promise.all([readConfig(), loadLanguage()]);
  document.documentElement.lang = ownLanguage();
  const isLocal = config.mode === 'local';
  signsIn = !isLocal;
  // The people whom the address names: see `addressAs`.
  const named = isLocal ? new URLSearchParams(location.search).getAll('as') : [];
  if (named.length > 1) {
    const { SideBySide } = await import('./people/side-by-side');
    return root.render(<SideBySide named={named} />);
  }
  const session =
    config.mode === 'local'
      ? (await import('./network/local-session')).localSession(named[0])
      : await (await import('./network/oauth-session')).oauthSession(config);
  // The browser is on its way to the sign-in page.
  if (!session) return;
  const vigil = await openVigil(session, isLocal);
  root.render(
    <StrictMode>
      <VigilContext value={vigil}>
        <VigilProvider client={vigil.client}>
          <App />
        </VigilProvider>
      </VigilContext>
    </StrictMode>,
  );
  const join = () => void joinTaken(vigil);
  join();
  addEventListener('hashchange', join);
}

// A conversation that the address names needs it while the user is signed in; another one when the user may be about to open it.
const signs = ['pointerover', 'keydown'];
if (openPlace()) loadChat();
else for (const sign of signs) addEventListener(sign, loadChat, { once: true });
for (const sign of signs) addEventListener(sign, loadNotices, { once: true });

begin().catch((error: unknown) =>
  root.render(
    <main className="h-dvh">
      <Trouble
        isAlone
        title={signsIn ? t('Sign-in failed') : t('The page cannot start')}
        problem={wordsOf(error)}
        retry={() => location.reload()}
      >
        {signsIn
          ? t('The sign-in service may be temporarily unavailable, or the sign-in took too long.')
          : rich('On a laptop, check that <code>npm start</code> is still running.', {
              code: (text) => <code>{text}</code>,
            })}
      </Trouble>
    </main>,
  ),
);
