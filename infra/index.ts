/** The exports for CDK apps (docs/deploy.md). @packageDocumentation */
export type { Built } from './bundling/build';
export type { VigilFunction } from './functions/vigil-function';
export type { VigilModule } from './module';
export type { Domain } from './page/domain';
export type { Theme } from './page/theme';
export type { Auth, ExistingPool, Issuer, PageClient } from './page/users';
export type { Groups, Limits, Models, Spending, TypedSettings } from './typed-settings';
export { Vigil } from './vigil';
export type { VigilProps } from './vigil-props';
