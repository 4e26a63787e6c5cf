/** The exports of the package `vigil-stepfunctions`. @packageDocumentation */
export type { Alarm, Clock } from './clock/clock';
export { type MovedClock, movedClock } from './clock/moved-clock';
export { type HttpEndpoint, serveHttp } from './http';
export { httpServices } from './http-services';
export {
  type AuthorizationRequest,
  type Authorize,
  type AwsRequest,
  type CallAws,
  type ExecutionStatusChange,
  type InvokeLambda,
  type LambdaAnswer,
  type LambdaRequest,
  type Services,
  type StepFunctions,
  type StepFunctionsOptions,
  startStepFunctions,
} from './start';
