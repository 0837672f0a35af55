import { type DataExport, type DeleteAccount, dataExportSchema, type ExportData, paths } from '#contract';
import { callApi } from '#web/lib/api.ts';

/** Asks for a ZIP of all data of the seller. @returns its address, which works for a minute @throws ApiError */
export function exportData(body: ExportData): Promise<DataExport> {
  return callApi('POST', paths.export, dataExportSchema, { body });
}

/** Deletes the account and all of the seller's data. @throws ApiError */
export function deleteAccount(body: DeleteAccount): Promise<void> {
  return callApi(
    'POST',
    paths.deletion,
    {
      status: 204,
      check: 'Reload this page: if it shows your account, it is still there, and so is your plan.',
    },
    { body },
  );
}
