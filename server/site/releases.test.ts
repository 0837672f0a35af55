import { openFolderStorage } from '#shared/storage/folder-storage.ts';
import { newFolder } from '#tests/support/new-folder.ts';
import { describeReleases } from '#tests/support/releases-contract.ts';

describeReleases('a folder', async () => openFolderStorage(await newFolder()));
