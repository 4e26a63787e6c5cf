import {
  AlarmClock,
  Calculator,
  HandCoins,
  Landmark,
  type LucideIcon,
  MessageCircle,
  Plane,
  Telescope,
} from 'lucide-react';

/** The icons of the agents that come with Vigil. Others have the initial of their name. */
const icons = new Map<string, LucideIcon>([
  ['account-manager', Landmark],
  ['bank', Landmark],
  ['calculator', Calculator],
  ['chat', MessageCircle],
  ['loan-advisor', HandCoins],
  ['reminder', AlarmClock],
  ['researcher', Telescope],
  ['travel', Plane],
]);

export const agentIcon = (name: string): LucideIcon | undefined => icons.get(name);

/** Returns the name of an agent for people: `loan-advisor` is "Loan advisor". */
export const agentName = (name: string): string =>
  name.replace(/[-_]+/g, ' ').replace(/^\p{Ll}/u, (first) => first.toUpperCase());
