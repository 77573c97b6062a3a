"""Data that a run reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..gateway import Gateway
from .dataset_files import DatasetError, DatasetFiles, RunDataset
from .link import JobAddress
from .settings import dataset_directory_of, setting


class Dataset:
    """A version of a dataset that the run reads. It never changes."""

    def __init__(self, version: RunDataset, files: DatasetFiles) -> None:
        self._files = files
        self.name = version.name
        """By which the run names it."""
        self.dataset_id = version.dataset_id
        """The dataset."""
        self.version_id = version.version_id
        """The version of it."""
        self.number = version.number
        """Of the version in its dataset."""
        self.content_sha256 = version.content_sha256
        """Of its Parquet file, hexadecimal."""
        self.row_count = version.row_count
        """Number of its rows."""
        self.size_bytes = version.size_bytes
        """Of its Parquet file."""
        self._version = version

    @property
    def path(self) -> Path:
        """Its Parquet file on this machine, downloaded where it is not there yet, and verified by its digest.

        Raises DatasetError when it cannot be had, DatasetDigestError when it has other bytes, PlatformUnreachableError
        when the platform stays away or the trainer is to end.
        """
        return self._files.path_of(self._version)

    def batches(self, columns: Sequence[str] | None = None, batch_size: int = 65_536) -> Iterator[Any]:
        """Its rows in their order, as record batches of pyarrow with at most `batch_size` rows.

        `columns`: those that are read; default: all. Needs `aiplatform-sdk[arrow]`. Raises DatasetError without it and
        for a column that there is none of, and what `path` raises.
        """
        try:
            from pyarrow import parquet
        except ImportError:
            raise DatasetError(
                "batches() needs pyarrow: install aiplatform-sdk[arrow], or read `path` with another library"
            ) from None
        return _batches(parquet, self, columns, batch_size)

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}, version {self.number}, {self.row_count} rows)"


class RunDatasets:
    """The data that a run reads, by name."""

    def __init__(self, told: Iterable[Mapping[str, Any]] | None, files: DatasetFiles) -> None:
        """`told`: as the platform names it; None where it tells nothing of it."""
        versions = [RunDataset.of(dict(each)) for each in told or ()]
        self._datasets = {version.name: Dataset(version, files) for version in versions}
        self._files = files
        self._are_told = told is not None

    def named(self, name: str) -> Dataset:
        """Raises DatasetError where the run names none like this, or the platform does not tell.

        FetchStoppedError where another process is the job's trainer.
        """
        if not self._are_told:
            # Another process may be the job's trainer: this one is told nothing.
            self._files.assert_goes_on()
            raise DatasetError(
                f"the platform does not tell which data the run reads, and {name!r} is needed: "
                "upgrade the platform, and start the trainer again"
            )
        found = self._datasets.get(name)
        if found is None:
            names = ", ".join(repr(each) for each in self._datasets) or "none"
            raise DatasetError(
                f"the run reads no data named {name!r}; it names {names}: create it with `datasets` of that name"
            )
        return found


def datasets_as_told(
    told: Iterable[Mapping[str, Any]] | None,
    url: str | None = None,
    key: str | None = None,
    *,
    pipeline_id: str | None = None,
    run_id: str | None = None,
    dataset_directory: str | Path | None = None,
    **_: Any,
) -> RunDatasets:
    """For a process that does not speak with the platform itself: what its trainer was told, read with the arguments of
    `Trainer.attach`."""
    address = JobAddress(setting(pipeline_id, "PIPELINE_ID"), setting(run_id, "RUN_ID"), "", "")
    gateway = Gateway(setting(url, "PLATFORM_URL"), setting(key, "PLATFORM_API_KEY"))
    return RunDatasets(told, DatasetFiles(gateway, address.run_path, dataset_directory_of(dataset_directory)))


def _batches(parquet: Any, dataset: Dataset, columns: Sequence[str] | None, batch_size: int) -> Iterator[Any]:
    with parquet.ParquetFile(dataset.path) as file:
        known = file.schema_arrow.names
        for column in columns or ():
            # pyarrow would leave it out without a word.
            if column not in known:
                raise DatasetError(f"{dataset.name!r} has no column {column!r}; its columns: {', '.join(known)}")
        yield from file.iter_batches(batch_size=batch_size, columns=None if columns is None else list(columns))
