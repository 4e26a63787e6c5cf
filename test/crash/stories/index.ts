import type { Story } from '../story';
import { approval } from './approval';
import { approvers } from './approvers';
import { background } from './background';
import { continuation } from './continuation';
import { deferred } from './deferred';
import { delegation } from './delegation';
import { elicitation } from './elicitation';
import { files } from './files';
import { parallel } from './parallel';
import { question } from './question';
import { recurring } from './recurring';
import { reminder } from './reminder';
import { rollback } from './rollback';
import { schedule } from './schedule';
import { task } from './task';
import { team } from './team';
import { transfer } from './transfer';
import { travel } from './travel';
import { webhook } from './webhook';

export const stories: readonly Story[] = [
  reminder,
  question,
  parallel,
  approval,
  webhook,
  rollback,
  transfer,
  delegation,
  travel,
  team,
  deferred,
  recurring,
  elicitation,
  continuation,
  task,
  schedule,
  background,
  files,
  approvers,
];
