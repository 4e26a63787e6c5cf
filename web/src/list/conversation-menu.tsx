import type { ReactElement } from 'react';
import type { ConversationSummary } from 'vigil-client';
import { lazily } from '../ui/late';
import { LateMenu } from '../ui/late-menu';

const ConversationActions = lazily<'ConversationActions', ConversationMenuProps>(
  () => import('./conversation-actions'),
  'ConversationActions',
);

export interface ConversationMenuProps {
  conversation: ConversationSummary;
  align: 'start' | 'end';
  /** The button that opens the menu. */
  children: ReactElement;
}

/** Offers what a user can do with a conversation as a whole: in the list and in its header. */
export const ConversationMenu = (props: ConversationMenuProps) => (
  <LateMenu button={props.children as ReactElement<object>}>
    <ConversationActions {...props} />
  </LateMenu>
);
