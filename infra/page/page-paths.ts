import {
  Function as CloudFrontFunction,
  type FunctionAssociation,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';
import { nameInAllRegions } from '../names';

/**
 * Serves the page for any path that names no file. Error pages of the distribution would also replace the API's 404
 * responses.
 */
export const anyPath = (scope: Construct): FunctionAssociation =>
  onRequest(scope, 'AnyPath', "if (!uri.split('/').pop().includes('.')) request.uri = '/index.html';");

/** Removes `/api`, which the API does not know. */
export const withoutApi = (scope: Construct): FunctionAssociation =>
  onRequest(scope, 'WithoutApi', "request.uri = uri.slice('/api'.length);");

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html */
function onRequest(scope: Construct, id: string, statement: string): FunctionAssociation {
  const lines = ['const request = event.request;', 'const uri = request.uri;', statement, 'return request;'];
  const code = FunctionCode.fromInline(`function handler(event) {\n  ${lines.join('\n  ')}\n}\n`);
  const functionName = nameInAllRegions(scope, id, 64);
  const made = new CloudFrontFunction(scope, id, { functionName, code, runtime: FunctionRuntime.JS_2_0 });
  return { function: made, eventType: FunctionEventType.VIEWER_REQUEST };
}
