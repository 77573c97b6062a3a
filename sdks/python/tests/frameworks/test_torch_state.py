"""What `TorchState` and `ResumableLoader` save, without a platform."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, TensorDataset
from torchdata.stateful_dataloader import StatefulDataLoader

from aiplatform_sdk.torch import RankCountError, ResumableLoader, TorchState
from aiplatform_sdk.trainer.dict_state import StateValueError

megabyte = 1 << 20


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def net() -> nn.Sequential:
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 1))


class Training:
    """A loop with everything that a state can have."""

    def __init__(self, kind: type[DataLoader[Any]] = DataLoader, workers: int = 0, *, shares: bool = False) -> None:
        """`shares`: whether the loader has a generator of the loop."""
        torch.manual_seed(3)
        random.seed(3)
        self.model = net()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.1)
        self.schedule = torch.optim.lr_scheduler.MultiStepLR(self.optimizer, [5, 9, 14])
        self.scaler = torch.amp.GradScaler("cpu")
        self.numbers = np.random.default_rng(3)
        self.dice = random.Random(3)
        self.generator = torch.Generator().manual_seed(3)
        data = TensorDataset(torch.randn(26, 4))
        self.loader = ResumableLoader(
            kind(
                data,
                batch_size=4,
                shuffle=True,
                num_workers=workers,
                generator=self.generator if shares else None,
            )
        )
        self.batches = self.loader.forever()
        self.state = TorchState(
            self.model,
            self.optimizer,
            self.schedule,
            self.scaler,
            self.numbers,
            self.dice,
            self.generator,
            self.loader,
        )

    def step(self) -> float:
        (x,) = next(self.batches)
        own = self.numbers.random() + self.dice.random() + torch.rand(1, generator=self.generator).item()
        loss = (self.model(x) * (own + random.random() + np.random.random())).square().mean()
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.schedule.step()
        return loss.item()

    def steps(self, count: int) -> list[float]:
        return [self.step() for _ in range(count)]


class TestATorchState:
    @pytest.mark.parametrize("kind", [DataLoader, StatefulDataLoader])
    @pytest.mark.parametrize(("workers", "shares"), [(0, False), (0, True), (2, False)])
    @pytest.mark.parametrize("taken", [0, 1, 3, 7, 12, 14])
    def test_goes_on_to_the_last_bit_from_any_place_of_an_epoch(
        self, tmp_path: Path, taken: int, workers: int, shares: bool, kind: type[DataLoader[Any]]
    ) -> None:
        training = Training(kind, workers, shares=shares)
        training.steps(taken)
        training.state.save(tmp_path / "state")
        expected = training.steps(16)
        training.state.load(tmp_path / "state")
        assert training.steps(16) == expected, "in the same process"
        other = Training(kind, workers, shares=shares)
        other.steps(2)
        other.state.load(tmp_path / "state")
        assert other.steps(16) == expected, "in another one"

    def test_releases_what_tensors_use_and_fills_the_same_ones_again(self, tmp_path: Path) -> None:
        model = nn.Linear(2_500, 2_500)
        optimizer = torch.optim.Adam(model.parameters())
        state = TorchState(model, optimizer)
        model(torch.ones(1, 2_500)).sum().backward()
        optimizer.step()
        state.save(tmp_path / "state")
        weight, kept = model.weight, model.weight.detach().clone()
        before = resident()
        said = state.release()
        # Weights, gradients and two moments.
        assert before - resident() > 90 * megabyte
        assert said == "released 100,040,008 bytes of tensors"
        state.load(tmp_path / "state")
        assert model.weight is weight
        assert torch.equal(weight, kept)
        model(torch.ones(1, 2_500)).sum().backward()
        optimizer.step()
        assert not torch.equal(weight, kept)

    def test_releases_tensors_that_share_memory_and_those_of_an_array(self, tmp_path: Path) -> None:
        array = np.ones((4, 4), dtype=np.float32)
        model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
        model[1].weight.data = model[0].weight.data[:]
        model.register_buffer("table", torch.from_numpy(array))
        state = TorchState(model)
        state.save(tmp_path / "state")
        state.release()
        assert array.sum() == 16, "the array has its own owner"
        state.load(tmp_path / "state")
        assert model.table.sum() == 16
        with torch.no_grad():
            model[0].weight.zero_()
        assert model[1].weight.sum() == 0, "they still share it"

    def test_takes_the_modules_alone_in_a_warm_restart(self, tmp_path: Path) -> None:
        training = Training()
        training.state.save(tmp_path / "first")
        training.steps(6)
        training.state.save(tmp_path / "later")
        weights = {name: value.clone() for name, value in training.model.state_dict().items()}
        training.state.load(tmp_path / "first")
        training.state.load_weights(tmp_path / "later")
        assert all(torch.equal(value, weights[name]) for name, value in training.model.state_dict().items())
        assert not training.optimizer.state
        assert training.schedule.last_epoch == 0

    def test_is_loaded_without_running_code_of_the_file(self, tmp_path: Path) -> None:
        training = Training()
        training.steps(3)
        training.state.save(tmp_path / "state")
        assert torch.serialization.get_unsafe_globals_in_checkpoint(tmp_path / "state") == []
        torch.save({"parts": [Path]}, tmp_path / "other")
        with pytest.raises(Exception, match="weights_only"):
            training.state.load(tmp_path / "other")

    def test_says_what_cannot_be_loaded_without_running_code_when_it_is_saved(self, tmp_path: Path) -> None:
        class Schedule:
            def state_dict(self) -> dict[str, Any]:
                return {"path": Path("x")}

            def load_state_dict(self, state: Any) -> None: ...

        with pytest.raises(StateValueError, match="Path, which cannot be loaded without running code"):
            TorchState(Schedule()).save(tmp_path / "state")

    def test_refuses_a_file_of_other_parts(self, tmp_path: Path) -> None:
        model = net()
        TorchState(model).save(tmp_path / "state")
        with pytest.raises(StateValueError, match="has 1 parts, and TorchState was given 2"):
            TorchState(model, torch.optim.SGD(model.parameters())).load(tmp_path / "state")


class TestAResumableLoader:
    def test_gives_one_epoch_at_a_time_as_the_loader_does(self) -> None:
        loader = ResumableLoader(DataLoader(TensorDataset(torch.arange(5)), batch_size=2))
        assert len(loader) == 3
        assert [len(list(loader)) for _ in range(2)] == [3, 3]

    def test_refuses_a_data_set_that_has_become_smaller(self) -> None:
        loader = ResumableLoader(DataLoader(TensorDataset(torch.arange(9)), batch_size=2))
        batches = iter(loader)
        for _ in range(4):
            next(batches)
        smaller = ResumableLoader(DataLoader(TensorDataset(torch.arange(4)), batch_size=2))
        smaller.load_state_dict(loader.state_dict())
        with pytest.raises(ValueError, match="the loader has 2 batches"):
            next(iter(smaller))

    def test_says_that_there_is_no_data(self) -> None:
        with pytest.raises(ValueError, match="no batches"):
            next(ResumableLoader[Any]([]).forever())

    @pytest.mark.parametrize("kind", [DataLoader, StatefulDataLoader])
    @pytest.mark.parametrize("used", [0, 1, 2, 5])
    def test_takes_a_batch_again_that_the_loop_had_not_used(self, used: int, kind: type[DataLoader[Any]]) -> None:
        torch.manual_seed(1)
        loader = ResumableLoader(kind(Noise(), batch_size=2, shuffle=True), ahead=1)
        batches = iter(loader)
        taken = [next(batches) for _ in range(used + 1)]
        saved = loader.state_dict()
        rest = list(batches)
        torch.rand(1)
        loader.load_state_dict(saved)
        # A pause right after it saves and loads once more.
        loader.load_state_dict(loader.state_dict())
        before = torch.get_rng_state()
        batches = iter(loader)
        again = [next(batches)]
        assert torch.equal(torch.get_rng_state(), before), "the loop has its own random numbers"
        assert torch.equal(again[0], taken[-1])
        again.extend(batches)
        assert len(again) == 1 + len(rest)

    @pytest.mark.parametrize("kind", [DataLoader, StatefulDataLoader])
    def test_begins_the_next_epoch_where_one_was_used_up(self, kind: type[DataLoader[Any]]) -> None:
        torch.manual_seed(1)
        loader = ResumableLoader(kind(TensorDataset(torch.arange(12)), batch_size=2, shuffle=True))
        list(loader)
        saved, numbers = loader.state_dict(), torch.get_rng_state()
        expected = [batch[0].tolist() for _ in range(2) for batch in loader]
        drawn = torch.rand(1)
        loader.load_state_dict(saved)
        torch.set_rng_state(numbers)
        assert [batch[0].tolist() for _ in range(2) for batch in loader] == expected
        assert torch.equal(torch.rand(1), drawn)

    @pytest.mark.parametrize(("saved", "present"), [(DataLoader, StatefulDataLoader), (StatefulDataLoader, DataLoader)])
    def test_refuses_the_place_of_another_kind_of_loader(
        self, saved: type[DataLoader[Any]], present: type[DataLoader[Any]]
    ) -> None:
        data = TensorDataset(torch.arange(12))
        place = ResumableLoader(saved(data)).state_dict()
        with pytest.raises(ValueError, match="train with the kind of loader that the checkpoint was saved with"):
            ResumableLoader(present(data)).load_state_dict(place)

    def test_refuses_a_stateful_loader_of_data_that_has_become_smaller(self) -> None:
        def of(size: int) -> ResumableLoader[Any]:
            return ResumableLoader(StatefulDataLoader(TensorDataset(torch.arange(size)), batch_size=2), ahead=1)

        loader = of(9)
        batches = iter(loader)
        for _ in range(4):
            next(batches)
        smaller = of(4)
        smaller.load_state_dict(loader.state_dict())
        with pytest.raises(ValueError, match="train with the data set that the checkpoint was saved with"):
            next(iter(smaller))


class Noise(Dataset[torch.Tensor]):
    """Items that are made with the random numbers of the process."""

    def __len__(self) -> int:
        return 12

    def __getitem__(self, index: int) -> torch.Tensor:
        return index + torch.rand(1)


def of_ranks(count: int, seeds: list[int], data: DataLoader[Any] | None) -> list[TorchState]:
    """The states of as many ranks, each seeded with its own."""
    states = []
    for rank in range(count):
        torch.manual_seed(1)
        model = nn.Linear(2, 1)
        numbers = torch.Generator().manual_seed(seeds[rank % len(seeds)])
        states.append(TorchState(model, numbers, *([] if data is None else [ResumableLoader(data)])))
    return states


data = DataLoader(TensorDataset(torch.arange(8)))
same, other, place = ([1], None), ([1, 2, 3], None), ([1], data)


class TestACheckpointOfSeveralRanks:
    @pytest.mark.parametrize(
        ("saved", "present", "state", "loads"),
        [
            (2, 2, same, True),
            (2, 2, other, True),
            (2, 2, place, True),
            (1, 2, same, True),
            (2, 1, same, True),
            (3, 2, same, True),
            (2, 3, same, True),
            (2, 1, other, False),
            (3, 2, other, False),
            (2, 3, other, False),
            (1, 2, place, False),
            (2, 1, place, False),
            (3, 2, place, False),
            (2, 3, place, False),
        ],
    )
    def test_loads_on_another_number_of_them_where_no_rank_has_anything_of_its_own(
        self, tmp_path: Path, saved: int, present: int, state: tuple[list[int], Any], loads: bool
    ) -> None:
        path = tmp_path / "state"
        torch.manual_seed(1)
        before = of_ranks(saved, *state)
        before[0].write(path, [each.of_process() for each in before])
        after = of_ranks(present, *state)
        for rank, each in enumerate(after):
            if loads:
                each.take(path, process=rank, processes=present)
            else:
                with pytest.raises(RankCountError) as raised:
                    each.take(path, process=rank, processes=present)
                assert (raised.value.saved, raised.value.present) == (saved, present)
                ranks = "1 rank" if saved == 1 else f"{saved} ranks"
                assert f"was saved by {ranks}, and {present} rank" in str(raised.value)
                assert f"Start {ranks}, or begin another run from its weights" in str(raised.value)

    @pytest.mark.parametrize(("saved", "present"), [(2, 1), (1, 2), (3, 2)])
    @pytest.mark.parametrize("state", [same, other, place])
    def test_gives_its_weights_to_any_number_of_them(
        self, tmp_path: Path, saved: int, present: int, state: tuple[list[int], Any]
    ) -> None:
        path = tmp_path / "state"
        before = of_ranks(saved, *state)
        before[0].write(path, [each.of_process() for each in before])
        for each in of_ranks(present, *state):
            each.load_weights(path)
