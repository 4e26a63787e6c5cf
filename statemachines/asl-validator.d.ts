/** The package ships no types. This declares the part that the tests use. */
declare module 'asl-validator' {
  export default function aslValidator(definition: object): {
    isValid: boolean;
    errorsText(separator?: string): string;
  };
}
