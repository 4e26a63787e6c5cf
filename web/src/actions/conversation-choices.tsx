import {
  Archive,
  ArchiveRestore,
  FileDown,
  Headset,
  Pencil,
  Pin,
  PinOff,
  Trash2,
  UserRoundPlus,
  Users,
} from 'lucide-react';
import type { RefObject } from 'react';
import type { ConversationSummary } from 'vigil-client';
import { filesIn, rootOf } from 'vigil-client/shared';
import { goTo } from '../hooks/use-place';
import { t } from '../languages/catalogue';
import type { Vigil } from '../state/vigil';
import type { Choice } from './choice';
import { showDialog } from './page-dialog';

/** Returns what a user can do with a conversation as a whole. */
export function conversationChoices(
  { act, client, held, store }: Vigil,
  conversation: ConversationSummary,
  opener?: RefObject<HTMLElement | null>,
): Choice[] {
  const { id, title, pinned, archived, role, parentId } = conversation;
  const remove = () => {
    held.begin({ is: 'delete', conversationId: id }, { words: deletionWords(title) });
    const { open } = store.getState();
    if (open && rootOf(client.conversations.getSnapshot().byId.get(open) ?? { id: open }) === rootOf(conversation))
      goTo(undefined);
  };
  // A sub-agent's conversation has the people of the one that asked for it.
  const shares = parentId === undefined;
  const exports = exportChoices(act, client, id, opener);
  if (role) {
    const people: Choice = {
      id: 'share',
      words: t('People…'),
      icon: <Users />,
      also: t('members leave share'),
      choose: () => showDialog({ is: 'share', id, opener }),
    };
    const stepIn: Choice = {
      id: 'take-over',
      words: t('Take over…'),
      icon: <Headset />,
      also: t('step in person'),
      choose: () => showDialog({ is: 'step-in', id, opener }),
    };
    if (!shares) return exports;
    return [...(canStepIn(store.getState(), conversation) ? [stepIn] : []), people, ...exports];
  }
  return [
    ...(shares
      ? [
          {
            id: 'share',
            words: t('Share…'),
            icon: <UserRoundPlus />,
            also: t('people members invite link'),
            choose: () => showDialog({ is: 'share', id, opener }),
          },
        ]
      : []),
    {
      id: 'rename',
      words: t('Rename…'),
      icon: <Pencil />,
      also: t('title name'),
      choose: () => showDialog({ is: 'rename', id, title, opener }),
    },
    {
      ...(pinned
        ? { id: 'unpin', words: t('Unpin'), icon: <PinOff /> }
        : { id: 'pin', words: t('Pin'), icon: <Pin /> }),
      choose: () => void act.pin(id, !pinned),
    },
    {
      ...(archived
        ? { id: 'unarchive', words: archiveWords(true), icon: <ArchiveRestore />, also: t('Archive') }
        : { id: 'archive', words: archiveWords(false), icon: <Archive /> }),
      choose: () => void act.archive(id, !archived),
    },
    ...exports,
    { id: 'delete', words: t('Delete'), icon: <Trash2 />, choose: remove, danger: true },
  ];
}

/** A run and its timers go with it. */
const deletionWords = (title: string | undefined): string =>
  title
    ? t('Deleting “{title}”. Its run and its timers stop with it.', { title })
    : t('Deleting the conversation. Its run and its timers stop with it.');

/** Whether the reader may take it over without being asked. If it waits for a person, they find it in their inbox. */
const canStepIn = (
  { agents, joining }: ReturnType<Vigil['store']['getState']>,
  { id, agent, status, waitsFor }: ConversationSummary,
): boolean =>
  !(status === 'waiting' && waitsFor === 'person') &&
  !joining.has(id) &&
  agents.some(({ name, mayStepIn }) => name === agent && mayStepIn === true);

const exportChoices = (
  act: Vigil['act'],
  client: Vigil['client'],
  id: string,
  opener?: RefObject<HTMLElement | null>,
): Choice[] => [
  {
    id: 'markdown',
    words: t('Export as Markdown'),
    icon: <FileDown />,
    also: t('save download'),
    choose: () => void act.export(id, 'markdown'),
  },
  {
    id: 'json',
    words: t('Export as JSON'),
    icon: <FileDown />,
    also: t('save download'),
    choose: () => void act.export(id, 'json'),
  },
  ...(mayHaveFiles(client.conversation(id).getSnapshot())
    ? [
        {
          id: 'zip',
          words: t('Export as Markdown and files (.zip)'),
          icon: <FileDown />,
          also: t('save download'),
          choose: () => showDialog({ is: 'zip', id, opener }),
        },
      ]
    : []),
];

/** What is not read may have some. */
const mayHaveFiles = ({ conversation }: ReturnType<ReturnType<Vigil['client']['conversation']>['getSnapshot']>) =>
  !conversation ||
  filesIn([conversation.messages.map(({ parts }) => parts), conversation.calls.map(({ result }) => result)]).length > 0;

/** One message for both: “Archive” alone is the name of the place. */
const archiveWords = (archived: boolean): string =>
  t('{archived, select, true {Bring back to the list} other {Archive}}', { archived });
