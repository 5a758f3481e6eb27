import { Ajv2020 } from 'ajv/dist/2020.js';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { readJson } from '../../../lib/model/values/scalar-types.js';
import { encodeScalar } from '../../../lib/wire/encode-scalar.js';
import { ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';
import { documentOf } from './documents.js';

const PRICED = schemaOf({ Thing: modelOf({ id: ID, price: scalar('Decimal'), size: scalar('BigInt') }) });

describe('the texts of numbers that JSON may round', () => {
  const { schemas } = documentOf(PRICED).components;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = (name: string) => ajv.compile(JSON.parse(JSON.stringify(schemas[name])) as object);
  const [written, answered] = [validate('DecimalInput'), validate('Decimal')];

  /** As clients and other libraries write it. */
  const formsOf = (decimal: Decimal): readonly unknown[] => [
    ...[decimal.toString(), decimal.toJSON(), decimal.toFixed(), decimal.toExponential(), decimal.toPrecision()],
    ...[decimal.toExponential().toUpperCase(), decimal.toFixed(70), String(decimal.toNumber())],
  ];

  it('are documented as they are written and answered: with a sign, with an exponent, with every digit', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 40n), 10n ** 40n), fc.integer({ min: -60, max: 60 }), (digits, exponent) => {
        const decimal = new Decimal(`${digits}e${exponent}`);
        for (const form of formsOf(decimal)) {
          expect([form, readJson({ type: 'Decimal' }, form)]).toEqual([form, { value: expect.any(String) as string }]);
          expect([form, written(form)]).toEqual([form, true]);
        }
        expect(answered(encodeScalar(decimal, 'base64'))).toBe(true);
      }),
    );
  });

  it.each(['NaN', 'Infinity', '-Infinity', '-0', '1e+131071', '-1e-16383'])('are answered as they are stored: %s', (text) => {
    expect(answered(encodeScalar(new Decimal(text), 'base64'))).toBe(true);
  });

  it.each(['NaN', 'Infinity', '1,5', '.5', '5.', '+5', ' 5', '0x5', '', '1e', '1_000'])('may not be written: %j', (text) => {
    expect([written(text), readJson({ type: 'Decimal' }, text)]).toEqual([
      false,
      { expected: expect.stringMatching(/^a decimal number/) as string },
    ]);
  });
});
