import type { Story } from '../story';
import { parallel } from './parallel';
import { question } from './question';
import { reminder } from './reminder';

export const stories: readonly Story[] = [reminder, question, parallel];
