import { useRef } from 'react';
import { ChoiceItems } from '../actions/choice';
import { conversationChoices } from '../actions/conversation-choices';
import { useVigil } from '../hooks/use-vigil';
import { Menu } from '../ui/menu';
import type { ConversationMenuProps } from './conversation-menu';

/** The menu of a conversation, which opens when it is first shown. */
export function ConversationActions({ conversation, align, children }: ConversationMenuProps) {
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <Menu button={children} trigger={trigger} align={align}>
      <Items conversation={conversation} trigger={trigger} />
    </Menu>
  );
}

/** Only an open menu asks what is possible. */
function Items({
  conversation,
  trigger,
}: Pick<ConversationMenuProps, 'conversation'> & { trigger: React.RefObject<HTMLButtonElement | null> }) {
  return <ChoiceItems choices={conversationChoices(useVigil(), conversation, trigger)} />;
}
