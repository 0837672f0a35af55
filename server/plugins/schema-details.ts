import { z } from 'zod';
import * as contract from '#contract';
import { plainText } from '#contract/text.ts';

/** At least one character that is no white space. */
const filled = { pattern: '\\S' };

/** The characters of a text, as a class of a pattern. */
const [, refused] = /\[\^(.*)\]/.exec(plainText.source)!;

/** The same of a text; each character has one way to match. */
const filledText = { pattern: `^[^${refused}\\S]*[^${refused}\\s][^${refused}]*$` };

const anyId = '[^,]{1,100}';
const anyPreset = [...contract.exportPresetIds, 'own-[0-9a-f]{24}'].join('|');

/** Items with commas between them. @param item a pattern of one @param most how many there may be */
const listOf = (item: string, most: number) => ({ pattern: `^(?:${item})(?:,(?:${item})){0,${most - 1}}$` });

/** What lacks a field. */
const without = (field: string) => ({ not: { required: [field], properties: { [field]: {} } } });

/**
 * What the API's document says of fields whose rules are functions, as far as JSON schema can: browsers need not load it.
 * Patterns are written as every kind of regular expression has it, because programs of any language read the document: some
 * have no lookahead, some no `\p`. Rules that need those are told in words.
 */
const details: readonly (readonly [z.ZodType, object])[] = [
  [contract.promptSchema.in, filledText],
  [contract.emailSchema, { format: 'email', maxLength: contract.limits.emailCharacters }],
  [
    contract.fullNameSchema,
    {
      minLength: 1,
      maxLength: contract.limits.nameCharacters,
      pattern: '^[^<>@]*$',
      description:
        'The name of a person or a business, with a letter: no addresses, no telephone numbers, and nothing that cannot be seen.',
    },
  ],
  ...[contract.newPasswordSchema, contract.signUpPasswordSchema].map(
    (schema) =>
      [
        schema,
        {
          format: 'password',
          minLength: contract.limits.passwordCharacters,
          description:
            'With an uppercase letter, a lowercase letter, a number and a special character; not one that is often used.',
        },
      ] as const,
  ),
  [contract.projectNameSchema, filledText],
  [contract.createLookSchema.shape.name, filledText],
  [contract.contactSchema.shape.name, filled],
  [contract.contactSchema.shape.message, filledText],
  ...[
    contract.renamePasskeySchema.shape.name,
    contract.createApiKeySchema.shape.name,
    contract.createOwnPresetSchema.shape.name,
  ].map((schema) => [schema, { ...filled, description: 'Without characters that nobody sees.' }] as const),
  [contract.setBannerSchema.shape.text, filled],
  // Three characters, without white space around them.
  [contract.operatorReasonSchema, { pattern: '\\S[\\s\\S]+\\S' }],
  [contract.signUpSchema.shape.plan.unwrap().in, { enum: contract.planIds }],
  // The digits of other scripts are read as well.
  [contract.codeSchema, { pattern: '[0-9A-Za-z]' }],
  ...[contract.changeRequestSchema, contract.v1ChangeRequestSchema].map(
    (schema) =>
      [schema, { not: { required: ['marks', 'mask'], properties: { marks: {}, mask: {} } } }] as const,
  ),
  [contract.v1CreateRequestSchema, { not: { allOf: [without('prompt'), without('lookId')] } }],
  [contract.changeWaitingSchema, { dependentRequired: { width: ['height'], height: ['width'] } }],
  [
    contract.exportQuerySchema.shape.presets,
    listOf(anyPreset, contract.exportPresetIds.length + contract.limits.ownPresets),
  ],
  [contract.exportQuerySchema.shape.images, listOf(anyId, contract.limits.exportImages)],
  [contract.exportFileQuerySchema.shape.images, listOf(anyId, 1)],
  [contract.exportFileQuerySchema.shape.presets, listOf(anyPreset, 1)],
  ...[contract.v1ZipQuerySchema, contract.exportCheckQuerySchema].map(
    ({ shape }) =>
      [shape.presets, listOf(contract.exportPresetIds.join('|'), contract.exportPresetIds.length)] as const,
  ),
  [contract.exportCheckQuerySchema.shape.images, listOf(anyId, contract.limits.exportImagesChecked)],
  ...(['width', 'height'] as const).map((side) => {
    const sides = new Set(Object.values(contract.imageSizes).map((size) => size[side]));
    return [contract.optionFields[side].unwrap(), { enum: [...sides] }] as const;
  }),
];

for (const [schema, detail] of details) {
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), ...detail });
}
