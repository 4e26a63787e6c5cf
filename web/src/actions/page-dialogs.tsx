import { useVigil } from '../hooks/use-vigil';
import type { AssignProps } from '../inbox/assign';
import { t } from '../languages/catalogue';
import type { ExportZipProps } from '../list/export-zip';
import type { RenameProps } from '../list/rename';
import type { GiveBackProps } from '../members/give-back';
import type { ShareProps } from '../members/share';
import type { StepInProps } from '../members/step-in';
import type { ToldProps } from '../members/told';
import { Confirm } from '../ui/confirm';
import { lazily } from '../ui/late';
import { closeDialog, type PageDialog } from './page-dialog';

const Allowed = lazily(() => import('../list/allowed'), 'Allowed');
const Allowances = lazily(() => import('../list/allowances'), 'Allowances');
const Memories = lazily(() => import('../list/memories'), 'Memories');
const MakePeople = lazily(() => import('../people/make-people'), 'MakePeople');
const Settings = lazily(() => import('../settings/settings'), 'Settings');
const ShortcutSheet = lazily(() => import('./shortcut-sheet'), 'ShortcutSheet');
const Rename = lazily<'Rename', RenameProps>(() => import('../list/rename'), 'Rename');
const Assign = lazily<'Assign', AssignProps>(() => import('../inbox/assign'), 'Assign');
const Share = lazily<'Share', ShareProps>(() => import('../members/share'), 'Share');
const Told = lazily<'Told', ToldProps>(() => import('../members/told'), 'Told');
const GiveBack = lazily<'GiveBack', GiveBackProps>(() => import('../members/give-back'), 'GiveBack');
const StepIn = lazily<'StepIn', StepInProps>(() => import('../members/step-in'), 'StepIn');
const ExportZip = lazily<'ExportZip', ExportZipProps>(() => import('../list/export-zip'), 'ExportZip');

/** Shows the dialog that an action has opened. */
export function PageDialogs({ dialog }: { dialog: PageDialog }) {
  const { act, session } = useVigil();
  const { people, user } = session;
  const { opener = nothing } = dialog;
  const common = { close: closeDialog, opener };
  switch (dialog.is) {
    case 'settings':
      return <Settings {...common} />;
    case 'keys':
      return <ShortcutSheet {...common} />;
    case 'memories':
      return <Memories {...common} />;
    case 'allowed':
      return <Allowed {...common} />;
    case 'allowances':
      return <Allowances {...common} />;
    case 'people':
      return people && <MakePeople people={people} user={user} {...common} />;
    case 'rename':
      return <Rename id={dialog.id} title={dialog.title} {...common} />;
    case 'zip':
      return <ExportZip id={dialog.id} {...common} />;
    case 'share':
      return <Share id={dialog.id} {...common} />;
    case 'told':
      return <Told title={dialog.title} text={dialog.text} {...common} />;
    case 'assign':
      return <Assign items={dialog.items} done={dialog.done} {...common} />;
    case 'give-back':
      return <GiveBack id={dialog.id} callbackId={dialog.callbackId} {...common} />;
    case 'step-in':
      return <StepIn id={dialog.id} {...common} />;
    case 'stop':
      return (
        <Confirm
          title={t('Stop this run?')}
          text={t(
            'It will not continue when it is due or answered. In your own conversation, its effects are undone where possible; in another person’s, they stay.',
          )}
          action={t('Stop it')}
          confirm={() => void act.stop(dialog.id)}
          {...common}
        />
      );
  }
}

/** The focus returns to what had it. */
const nothing = { current: null };
