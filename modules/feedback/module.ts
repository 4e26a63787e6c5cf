import type { Module } from '../../core/module';
import { feedbackIn } from './counted';

/** Verdicts of people are counted as metrics. */
export const inFunctions: Module = { name: 'feedback', counts: feedbackIn };
