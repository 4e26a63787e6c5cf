import type { Module } from '../core/module';
import { inFunctions as feedback } from './feedback/module';
import { inFunctions as notices } from './notices/module';
import { inFunctions as telemetry } from './telemetry/module';

/** The modules of this deployment. The bundler replaces this list with those that the app lists. */
export const modules: readonly Module[] = [feedback, notices, telemetry];
