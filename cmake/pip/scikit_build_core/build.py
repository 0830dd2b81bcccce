"""Stand-in for the build backend that the pygenten archive names.

`pip download` of a source archive asks its build backend for metadata, which installs that backend, runs the archive's own
build script before anybody has checked the archive's hash, and takes half a minute. Kast wants the file alone: with this
module first on PYTHONPATH and build isolation off, pip gets its metadata here (2 s in all) and nothing foreign runs.
"""

import os


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = "pygenten-0.1.5.dist-info"
    os.makedirs(os.path.join(metadata_directory, folder))
    with open(os.path.join(metadata_directory, folder, "METADATA"), "w", encoding="ascii") as metadata:
        metadata.write("Metadata-Version: 2.1\nName: pygenten\nVersion: 0.1.5\n")
    return folder
